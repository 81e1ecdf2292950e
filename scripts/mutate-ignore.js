/**
 * Mutants that are skipped because they prove nothing: words of a sentence, which tests quote only where they
 * matter, and discriminant names, which the compiler checks (`kind: ''` isn't a member of the union).
 */
const SENTENCE = /[\p{L}\d,.:;"”)] [\p{L}\d"“(]/u;
const isText = (node) => node.type === 'StringLiteral' || node.type === 'TemplateLiteral';

function textOf(node) {
  if (node.type === 'StringLiteral') return node.value;
  return node.quasis.map(({ value }) => value.raw).join('0');
}

function isKind({ node, parent }) {
  if (parent?.type === 'ObjectProperty') return parent.value === node && parent.key.name === 'kind';
  if (parent?.type !== 'BinaryExpression') return false;
  const other = parent.left === node ? parent.right : parent.left;
  return other.type.endsWith('MemberExpression') && other.property.name === 'kind';
}

const words = {
  shouldIgnore(path) {
    if (!isText(path.node)) return undefined;
    if (SENTENCE.test(textOf(path.node))) return 'the words of a sentence';
    return isKind(path) ? 'the compiler checks the names of kinds' : undefined;
  },
};

export const strykerPlugins = [{ kind: 'Ignore', name: 'words', value: words }];
