/** Clients that read: gets and lists with every freshness, whole and in chunks. */
import type { Revision } from '../../../runtime/contract/index.js';
import { type Answer, ask, objectOf, revisionOf, toSeen } from './collection.js';
import type { Freshness, ListRecord, Seen } from './records.js';
import { keepDoing, noteSurprise, pick, type Scene, someServer } from './scene.js';

/** Reads until the recording ends. */
export const runReader = (scene: Scene): Promise<void> =>
  keepDoing(scene, () => (Math.random() < 0.4 ? get(scene) : list(scene)));

/** The freshness that a client requests in a query, and what the client may then rely on. */
interface Asked extends Freshness {
  readonly query: string;
}

function someFreshness({ recorder }: Scene): Asked {
  const notBefore = recorder.someRevision();
  return pick<Asked>([
    { query: '', latest: true },
    { query: 'resourceVersion=0', latest: false },
    { query: `resourceVersion=${notBefore}`, latest: false, notBefore },
  ]);
}

async function get(scene: Scene): Promise<void> {
  const key = pick(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'counter-1', 'counter-2']);
  const { query, ...freshness } = someFreshness(scene);
  const url = await someServer(scene);
  const began = scene.recorder.moment();
  const answer = await ask(url, 'GET', `${key}?${query}`).catch(() => undefined);
  if (!answer) return;
  const span = { began, ended: scene.recorder.moment() };
  if (answer.code === 200) scene.recorder.get({ ...span, ...freshness, key, found: toSeen(answer.body) });
  else if (answer.code === 404) scene.recorder.get({ ...span, ...freshness, key });
  else noteSurprise(scene, `get of ${key} with ${query}`, answer.code, answer.body);
}

function list(scene: Scene): Promise<void> {
  if (Math.random() < 0.4) return listExactly(scene, scene.recorder.someRevision(), Math.random() < 0.5 ? 0 : 3);
  const { query, ...freshness } = someFreshness(scene);
  if (query === '' && Math.random() < 0.5) return listWith(scene, 'limit=3', freshness);
  return listWith(scene, query, freshness);
}

const listExactly = (scene: Scene, revision: Revision, limit: number): Promise<void> =>
  listWith(scene, `resourceVersion=${revision}&resourceVersionMatch=Exact&limit=${limit}`, {
    latest: false,
    exactly: revision,
  });

/** Reads a list to its last chunk. Each chunk may come from another server. Gives up if no server answers. */
export async function listWith(
  scene: Scene,
  query: string,
  wanted: Pick<ListRecord, 'latest' | 'notBefore' | 'exactly'>,
): Promise<void> {
  const { recorder } = scene;
  const began = recorder.moment();
  const revisions: Revision[] = [];
  const entries: Seen[] = [];
  for (let search = query; ; ) {
    const answer = await ask(await someServer(scene), 'GET', `?${search}`).catch(() => undefined);
    if (!answer) return;
    if (answer.code !== 200) return noteSurprise(scene, `list with ${search}`, answer.code, answer.body);
    revisions.push(revisionOf(answer));
    entries.push(...itemsOf(answer));
    const token = objectOf(answer.body.metadata).continue;
    if (typeof token !== 'string' || token === '') break;
    search = `limit=3&continue=${token}`;
  }
  recorder.list({ ...wanted, began, ended: recorder.moment(), revisions, entries });
}

const itemsOf = ({ body }: Answer): Seen[] => (Array.isArray(body.items) ? body.items.map(toSeen) : []);
