/** Clients that write to shared keys and counters, with and without naming the expected version. */
import { type Answer, ask, revisionOf, toObject, toSeen } from './collection.js';
import type { Seen, WriteRecord } from './records.js';
import { keepDoing, noteSurprise, pick, type Scene, someServer } from './scene.js';

const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const;

/** Keys of counters. Each value begins with the number of changes. No client deletes these keys. */
export const counters = ['counter-1', 'counter-2'] as const;

/** The codes of refusals because of other clients' writes. */
const lostTo = [404, 409];

type Sent = Pick<WriteRecord, 'key' | 'value' | 'expected'>;

/** Writes until the recording ends. `writer` is its name, and part of all values that it writes. */
export function runWriter(scene: Scene, writer: string): Promise<void> {
  let count = 0;
  return keepDoing(scene, async () => {
    const value = `${writer}-${count++}`;
    if (Math.random() < 0.35) await increment(scene, value);
    else await writeSomething(scene, pick(keys), value);
  });
}

function writeSomething(scene: Scene, key: string, value: string): Promise<unknown> {
  switch (pick(['create', 'replace', 'patch', 'compare', 'compare', 'delete', 'delete this'])) {
    case 'create':
      return create(scene, key, value);
    case 'replace':
      return send(scene, 'PUT', { key, value });
    case 'patch':
      return send(scene, 'PATCH', { key, value });
    case 'compare':
      return replaceVersion(scene, key, value);
    case 'delete':
      return send(scene, 'DELETE', { key });
    default:
      return deleteVersion(scene, key);
  }
}

const create = (scene: Scene, key: string, value: string): Promise<void> =>
  send(scene, 'POST', { key, value, expected: 0 });

async function replaceVersion(scene: Scene, key: string, value: string): Promise<void> {
  const found = await look(scene, key);
  if (found) await send(scene, 'PUT', { key, value, expected: found.revision });
}

async function deleteVersion(scene: Scene, key: string): Promise<void> {
  const found = await look(scene, key);
  if (found) await send(scene, 'DELETE', { key, expected: found.revision });
}

async function increment(scene: Scene, value: string): Promise<void> {
  const key = pick(counters);
  const found = await look(scene, key);
  if (found === undefined) return;
  if (found === null) return create(scene, key, `1 ${value}`);
  await send(scene, 'PUT', { key, value: `${countIn(found.value) + 1} ${value}`, expected: found.revision });
}

/** Reads the number of changes of a counter. */
export const countIn = (value: string): number => Number.parseInt(value, 10);

/** Reads the latest version of a key; `null` if there is none, `undefined` if no answer came. */
async function look(scene: Scene, key: string): Promise<Seen | null | undefined> {
  const { recorder } = scene;
  const url = await someServer(scene);
  const began = recorder.moment();
  const answer = await ask(url, 'GET', key).catch(() => undefined);
  if (!answer) return undefined;
  const span = { began, ended: recorder.moment() };
  if (answer.code !== 200 && answer.code !== 404) {
    noteSurprise(scene, `get of ${key}`, answer.code, answer.body);
    return undefined;
  }
  const found = answer.code === 200 ? toSeen(answer.body) : undefined;
  recorder.get({ ...span, key, latest: true, ...(found ? { found } : {}) });
  return found ?? null;
}

/** Sends a write and records its outcome. */
export async function send(scene: Scene, method: string, sent: Sent): Promise<void> {
  const url = await someServer(scene);
  const began = scene.recorder.moment();
  const answer = await ask(url, method, method === 'POST' ? '' : sent.key, bodyOf(method, sent)).catch(() => undefined);
  const outcome = answer ? outcomeOf(scene, `${method} of ${sent.key}`, answer) : 'unknown';
  const refusal = outcome === 'refused' ? `${method}, ${answer?.code} ${JSON.stringify(answer?.body)}` : undefined;
  scene.recorder.write({ ...sent, began, ended: scene.recorder.moment(), outcome, ...(refusal && { refusal }) });
}

function bodyOf(method: string, { key, value, expected }: Sent) {
  if (value !== undefined) return toObject(key, value, method === 'PUT' ? expected : undefined);
  return expected === undefined ? undefined : { preconditions: { resourceVersion: String(expected) } };
}

/** Returns the outcome of a write. Only after a 504 is it unknown whether the write happened. */
function outcomeOf(scene: Scene, what: string, answer: Answer): WriteRecord['outcome'] {
  const { code, body } = answer;
  if (code === 200 || code === 201) return revisionOf(answer);
  if (!lostTo.includes(code)) noteSurprise(scene, what, code, body);
  return code === 504 ? 'unknown' : 'refused';
}
