import { flattenedVerify } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defineTokenCleaning, defineTokenSigning } from '../../../controllers/index.js';
import { type RunningControllers, runControllers } from '../../../controllers/kit/index.js';
import { FakeClock } from '../../support/fake-clock.js';
import { servingForTests } from '../../support/serving.js';

const hourMs = 3_600_000;
const tokens = { namespace: 'platform-system', type: 'bootstrap.platform.io/token' };
const publicNamespace = 'platform-public';

const problems: string[] = [];
let clock: FakeClock;
let controllers: RunningControllers;
const server = servingForTests({ controllers: 'none' });
beforeEach(() => {
  clock = new FakeClock(Date.now());
});
afterEach(async () => {
  await controllers.stop();
  await ask('DELETE', secretsPath);
  await ask('DELETE', mapPath);
  expect(problems.splice(0)).toEqual([]);
});

const started = [
  defineTokenSigning({ tokens, publicNamespace, info: undefined }),
  defineTokenCleaning(tokens),
  defineTokenSigning({
    tokens,
    publicNamespace,
    info: { kubeconfig: () => 'made', rolesGroup: 'rbac.authorization.platform.io' },
  }),
] as const;

function run(index: 0 | 1 | 2): void {
  const client = server().client();
  controllers = runControllers([{ controller: started[index], client }], {
    client,
    clock,
    onProblem: (_name, problem) => void problems.push(problem),
  });
}

async function ask(method: string, path: string, body?: object) {
  const answer = await fetch(`${server().url}${path}`, {
    method,
    headers: { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { code: answer.status, body: await answer.json() };
}

const secretsPath = '/api/v1/namespaces/platform-system/secrets';
const mapPath = '/api/v1/namespaces/platform-public/configmaps/cluster-info';
const rest = '0123456789abcdef';
const later = (hours: number): string => new Date(clock.wallMs() + hours * hourMs).toISOString();

/** Makes a token for signing; `given` replaces parts of it. */
const makeToken = (id: string, more: object = {}, metadata: object = {}, type = tokens.type) =>
  ask('POST', secretsPath, {
    metadata: { name: `bootstrap-token-${id}`, ...metadata },
    type,
    stringData: { 'token-id': id, 'token-secret': rest, 'usage-bootstrap-signing': 'true', ...more },
  });
const makeMap = (data: object) =>
  ask('POST', mapPath.replace(/\/[^/]*$/, ''), { metadata: { name: 'cluster-info' }, data });

const dataOf = async (): Promise<Record<string, string>> => (await ask('GET', mapPath)).body.data ?? {};
const signers = async () =>
  Object.keys(await dataOf())
    .filter((key) => key.startsWith('jws-kubeconfig-'))
    .map((key) => key.slice('jws-kubeconfig-'.length));
const names = async () => {
  const { body } = await ask('GET', secretsPath);
  return body.items.map((one: { metadata: { name: string } }) => one.metadata.name.replace('bootstrap-token-', ''));
};

describe('bootstrapsigner', () => {
  it('signs by a detached JWS with the whole token, and again when the text changes', async () => {
    run(0);
    await makeMap({ kubeconfig: 'one text', other: 'x' });
    await makeToken('aaaaaa');
    await makeToken('bbbbbb');
    await expect.poll(signers).toEqual(['aaaaaa', 'bbbbbb']);
    for (const text of ['one text', 'another text']) {
      await ask('PATCH', mapPath, { data: { kubeconfig: text } });
      await expect
        .poll(async () => {
          const [header = '', between, signature = ''] = ((await dataOf())['jws-kubeconfig-bbbbbb'] ?? '').split('.');
          expect(between).toBe('');
          const jws = { protected: header, payload: Buffer.from(text).toString('base64url'), signature };
          const key = Buffer.from(`bbbbbb.${rest}`);
          return (await flattenedVerify(jws, key, { algorithms: ['HS256'] }).catch(() => undefined))?.protectedHeader;
        })
        .toEqual({ alg: 'HS256', kid: 'bbbbbb' });
    }
    expect((await dataOf()).other).toBe('x');
  });

  it('allows only complete, valid and correctly named tokens for signing', async () => {
    run(0);
    await makeMap({ kubeconfig: 'text', 'jws-kubeconfig-zzzzzz': 'forged' });
    await makeToken('cccccc', { 'usage-bootstrap-signing': 'false' });
    await makeToken('dddddd', { 'token-secret': 'short' });
    await makeToken('eeeeee', { 'token-id': 'ffffff' });
    await makeToken('gggggg', { expiration: later(-1) });
    await makeToken('hhhhhh', { expiration: 'tomorrow' });
    await makeToken('iiiiii', {}, {}, 'Opaque');
    await makeToken('jjjjjj', { expiration: later(1) });
    await expect.poll(signers).toEqual(['jjjjjj']);
    await makeToken('kkkkkk');
    await expect.poll(signers).toEqual(['jjjjjj', 'kkkkkk']);
    await clock.advance(2 * hourMs);
    await expect.poll(signers).toEqual(['kkkkkk']);
    await ask('DELETE', `${secretsPath}/bootstrap-token-kkkkkk`);
    await expect.poll(signers).toEqual([]);
  });

  it('makes the map if it is enabled, and everyone may read it', async () => {
    run(2);
    await makeToken('aaaaaa');
    await expect.poll(async () => (await dataOf()).kubeconfig).toBe('made');
    await expect.poll(signers).toEqual(['aaaaaa']);
    const name = 'kubeadm:bootstrap-signer-clusterinfo';
    const roles = '/apis/rbac.authorization.platform.io/v1/namespaces/platform-public';
    await expect.poll(async () => (await ask('GET', `${roles}/rolebindings/${name}`)).code).toBe(200);
    const { body } = await ask('GET', `${roles}/rolebindings/${name}`);
    expect(body.subjects).toEqual([
      { apiGroup: 'rbac.authorization.platform.io', kind: 'User', name: 'system:anonymous' },
    ]);
    expect((await ask('GET', `${roles}/roles/${name}`)).body.rules).toEqual([
      { apiGroups: [''], resources: ['configmaps'], resourceNames: ['cluster-info'], verbs: ['get'] },
    ]);
    await ask('PATCH', mapPath, { data: { kubeconfig: 'own' } });
    await ask('DELETE', `${roles}/roles/${name}`);
    await makeToken('bbbbbb');
    await expect.poll(signers).toEqual(['aaaaaa', 'bbbbbb']);
    expect((await dataOf()).kubeconfig).toBe('own');
  });
});

describe('tokencleaner', () => {
  it('deletes expired tokens, each at its time', async () => {
    await makeToken('aaaaaa', { expiration: later(-1) });
    await makeToken('bbbbbb', { expiration: later(1) });
    await makeToken('cccccc', { expiration: later(3) });
    await makeToken('dddddd');
    await makeToken('eeeeee', { expiration: 'tomorrow' });
    await makeToken('ffffff', { expiration: later(-1) }, {}, 'Opaque');
    run(1);
    await expect.poll(names).toEqual(['bbbbbb', 'cccccc', 'dddddd', 'ffffff']);
    await clock.advance(2 * hourMs);
    await expect.poll(names).toEqual(['cccccc', 'dddddd', 'ffffff']);
    await ask('PATCH', `${secretsPath}/bootstrap-token-cccccc`, {
      data: { expiration: Buffer.from(later(3)).toString('base64') },
    });
    await expect.poll(() => controllers.states.get('tokencleaner')).toBe('running');
    await clock.advance(2 * hourMs);
    expect(await names()).toEqual(['cccccc', 'dddddd', 'ffffff']);
    await clock.advance(2 * hourMs);
    await expect.poll(names).toEqual(['dddddd', 'ffffff']);
  });
});
