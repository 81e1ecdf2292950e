/** Words beside letters of scripts without spaces, and letters with accents: wherever words are compared. */
import { expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { appTest } from '../kit/app-test.ts';
import { FILTER, SHOP } from '../kit/start-desk.ts';

const TITLES = [
  'Vueフロントエンド開発',
  'เว็บVueครับ',
  'Vue를 사용',
  'Vuetify開発',
  'Website für Straße 7',
  'Sklep Łódź',
  'Smørrebrød app',
];
const described = (title: string) => ({
  ...SHOP,
  title,
  description: 'Plain work.',
  skills: [],
  categories: [],
});

appTest('rules, mutes and follows find them', async ({ ada, ben, market, pass }) => {
  await ada.type(`/gig subscribe filter ${FILTER.id} vue`, 'data');
  for (const word of ['strasse', 'LODZ', 'smorrebrod']) await ben.type(`/gig follow ${word}`);
  await pass(MINUTE);
  for (const title of TITLES) market.publish(described(title));
  await pass(5 * MINUTE);
  const data = ada
    .reads('data')
    .map((it) => it.text)
    .join('\n');
  expect(TITLES.filter((title) => data.includes(title))).toEqual(TITLES.slice(0, 3));
  const inbox = ben
    .inbox()
    .map((it) => it.text)
    .join('\n');
  expect(TITLES.filter((title) => inbox.includes(title))).toEqual(TITLES.slice(4));
});

appTest('a part of a title in Japanese can be muted', async ({ ada, market, pass }) => {
  const first = await market.publish(described('Vueフロントエンド開発')).cardIn('web');
  const form = await ada.press(first, 'Mute');
  await form.send({ 'What to mute': 'Projects that mention “フロントエンド開発”' });
  market.publish(described('Reactフロントエンド開発者募集'));
  market.publish(described('React site'));
  await pass(2 * MINUTE);
  const web = ada
    .reads('web')
    .map((it) => it.text)
    .join('\n');
  expect(web).toContain('React site');
  expect(web).not.toContain('募集');
});

appTest('the search of proposals finds them', async ({ ada, market, pass }) => {
  market.service.addProfile({ id: 31, label: 'Ada Webb', type: 'freelancer' });
  for (const jobTitle of TITLES)
    market.service.addProposal({ profileId: 31, jobTitle, coverLetter: 'Dear client.', isHired: false });
  await ada.type('/gig subscribe outcomes 31');
  await pass(5 * MINUTE);
  const found = async (query: string) => {
    const { text } = await ada.type(`/gig proposals ${query}`);
    return TITLES.filter((title) => text.includes(title));
  };
  expect(await found('"vue"')).toEqual(TITLES.slice(0, 3));
  expect(await found('開発 -vuetify')).toEqual(TITLES.slice(0, 1));
  expect(await found('strasse')).toEqual(TITLES.slice(4, 5));
  expect(await found('lodz')).toEqual(TITLES.slice(5, 6));
});
