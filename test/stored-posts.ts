/** Posts as stored. */
import { type Post, posts } from '../src/outbox/posts.ts';
import { type Store, scanCollection } from '../src/storage/store.ts';

/** The matching posts, in sending order. */
export async function storedPosts(store: Store, isMeant: (post: Post) => boolean): Promise<Post[]> {
  const found: Post[] = [];
  await store.read(async (tx) => {
    for await (const { value } of scanCollection(tx, posts)) if (isMeant(value)) found.push(value);
  });
  return found.sort((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1));
}
