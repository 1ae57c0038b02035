import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type ClientOptions,
  discoverResources,
  fetchTransport,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from '../../../../client/index.js';
import {
  type Migrated,
  type MigrationParts,
  migrateResource,
  type Position,
} from '../../../../controllers/storage-migration/migrate-resource.js';
import { unlimited } from '../../../../controllers/storage-migration/pace.js';
import { patient } from '../../../../controllers/storage-migration/patient.js';
import { StoredVersions } from '../../../../controllers/storage-migration/stored-versions.js';
import { defineTools, storeAs, storedVersionsOf, toolsOf } from '../../../support/migration/tools.js';
import { type ListeningServer, startServing } from '../../../support/serving.js';

let server: ListeningServer;
let client: ClientOptions;
const objects = 45;
const pageSize = 20;

beforeAll(async () => {
  server = await startServing();
  client = { baseUrl: server.url };
  await defineTools(client);
  const tools = toolsOf(client, 'v1').in('default');
  const names = Array.from({ length: objects }, (_, index) => `t${index}`);
  await Promise.all(names.map((name) => tools.create({ metadata: { name }, spec: { value: name } })));
});
afterAll(() => server.stop());
/** Each test begins with objects that were stored in the other version. */
beforeEach(async () => {
  await storeAs(client, 'v1');
  await migrate();
  await storeAs(client, 'v2');
});

type Answer = (request: TransportRequest) => TransportResponse | undefined;

const respond = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): TransportResponse => ({
  status,
  header: (name) => headers[name] ?? '',
  text: async () => JSON.stringify(body),
  async *chunks() {},
});

/** Makes a connection that answers some requests itself, and records all of them. */
function answering(answer: Answer = () => undefined) {
  const sent: string[] = [];
  const plain = fetchTransport({ baseUrl: server.url });
  const transport: Transport = {
    send: async (request) => {
      sent.push(`${request.method} ${request.path}`);
      return answer(request) ?? plain.send(request);
    },
  };
  return { sent, client: patient({ transport }) };
}

async function migrate(
  connection: ClientOptions = client,
  parts: Partial<Omit<MigrationParts, 'client' | 'definitions'>> = {},
): Promise<Migrated> {
  const resources = await discoverResources(connection);
  const tools = resources.find(({ plural }) => plural === 'tools');
  if (!tools) throw new Error('tools are not served');
  const definitions = new StoredVersions(resources, connection);
  return migrateResource(tools, { client: connection, pace: unlimited, pageSize, definitions, ...parts });
}

const isList = ({ method, path }: TransportRequest): boolean => method === 'GET' && path.includes('limit=');
const listsOf = (sent: readonly string[]): readonly string[] => sent.filter((one) => one.includes('limit='));

it('writes everything once, and removes the earlier version from the status', async () => {
  expect(await storedVersionsOf(client)).toEqual(['v1', 'v2']);
  expect(await migrate()).toEqual({ seen: objects, written: objects, problems: [], dropped: ['v1'] });
  expect(await storedVersionsOf(client)).toEqual(['v2']);
  expect(await migrate()).toEqual({ seen: objects, written: 0, problems: [], dropped: [] });
});

describe('a list that has expired', () => {
  const gone = (metadata: object) =>
    respond(410, { kind: 'Status', apiVersion: 'v1', metadata, status: 'Failure', reason: 'Expired', code: 410 });

  it('continues with the token of the answer', async () => {
    let first = true;
    const { sent, client } = answering((request) => {
      const token = isList(request) ? new URL(request.path, server.url).searchParams.get('continue') : null;
      if (token === null || !first) return undefined;
      first = false;
      return gone({ continue: token });
    });
    expect(await migrate(client)).toMatchObject({ seen: objects, dropped: ['v1'] });
    expect(listsOf(sent).filter((one) => !one.includes('continue='))).toHaveLength(1);
  });

  it('begins again if the answer has none, or if the server refuses the token', async () => {
    const { sent, client: hardly } = answering((request) =>
      isList(request) && request.path.includes('continue=') && listsOf(sent).length === 2 ? gone({}) : undefined,
    );
    const migrated = await migrate(hardly);
    expect(migrated).toMatchObject({ written: objects, dropped: ['v1'] });
    expect(migrated.seen).toBeGreaterThan(objects);
    const positions: Position[] = [];
    await migrate(client, { save: async (position) => void positions.push(position) });
    const foreign = { mark: positions.at(-1)?.mark ?? '', token: 'foreign' };
    expect(await migrate(client, { position: foreign })).toMatchObject({ seen: objects });
  });
});

it('waits for the time that a busy server asks for', async () => {
  let busyAt = 0;
  let againAt = 0;
  const { client } = answering(({ method, path }) => {
    if (method !== 'PATCH' || !path.endsWith('/t7')) return undefined;
    if (busyAt > 0) againAt = performance.now();
    else {
      busyAt = performance.now();
      return respond(429, {}, { 'retry-after': '1' });
    }
    return undefined;
  });
  expect(await migrate(client)).toMatchObject({ written: objects, dropped: ['v1'] });
  expect(againAt - busyAt).toBeGreaterThan(990);
});

it('continues where an earlier run ended, while the definition is the same', async () => {
  const positions: Position[] = [];
  const save = async (position: Position) => void positions.push(position);
  const stopping = new AbortController();
  const stopped = migrate(client, {
    signal: stopping.signal,
    save,
    tell: ({ seen }) => {
      if (seen === 25) stopping.abort();
    },
  });
  await expect(stopped).rejects.toThrow('aborted');
  const position = positions.at(-1);
  expect(positions.map(({ token }) => token === '')).toEqual([false]);
  expect(await storedVersionsOf(client)).toEqual(['v1', 'v2']);
  expect(await migrate(client, { position, save })).toMatchObject({ seen: objects - pageSize, dropped: ['v1'] });
  expect(positions.at(-1)).toEqual({ mark: position?.mark, token: '' });
  expect(await migrate(client, { position: positions.at(-1) })).toMatchObject({ seen: 0 });
  await storeAs(client, 'v1');
  expect(await migrate(client, { position })).toMatchObject({ seen: objects, written: objects, dropped: ['v2'] });
});

it('keeps the earlier version while objects cannot be written, and does not skip them later', async () => {
  const refused = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 422, message: 'no' };
  const { client: partly } = answering(({ method, path }) =>
    method === 'PATCH' && path.endsWith('/t7') ? respond(422, refused) : undefined,
  );
  const positions: Position[] = [];
  const save = async (position: Position) => void positions.push(position);
  expect(await migrate(partly, { save })).toMatchObject({
    problems: ['tools.example.com/default/t7: no'],
    dropped: [],
  });
  expect(await storedVersionsOf(client)).toEqual(['v1', 'v2']);
  expect(await migrate(client, { position: positions.at(-1) })).toMatchObject({ seen: 5, dropped: ['v1'] });
});

it('begins again if the definition changes meanwhile', async () => {
  let changing: Promise<unknown> | undefined;
  const migrated = await migrate(client, {
    tell: () => {
      changing ??= storeAs(client, 'v1');
    },
  });
  await changing;
  expect(migrated).toMatchObject({ problems: [], dropped: ['v2'] });
  expect(await storedVersionsOf(client)).toEqual(['v1']);
  // It was true: nothing is left for it to write.
  expect(await migrate()).toMatchObject({ seen: objects, written: 0 });
});

it('reports a definition that changes again and again', async () => {
  let round = 0;
  const { client: restless } = answering();
  const migrated = await migrate(restless, {
    save: async () => void (await storeAs(client, round++ % 2 === 0 ? 'v1' : 'v2')),
  });
  expect(migrated.problems).toEqual(['tools.example.com: its definition changed during the migration; run it again']);
  expect(await storedVersionsOf(client)).toEqual(expect.arrayContaining(['v1', 'v2']));
});
