/** Malformed paths and queries: the server serves only what the authorizer has allowed. */
import { beforeEach, describe, expect, it } from 'vitest';
import { exchange } from '../../../../support/raw-http.js';
import { startWitnessedApi } from '../../../../support/witnessed-api.js';
import { exchangeWith, last, message, paths } from '../../../../support/witnessed-exchange.js';

const witness = await startWitnessedApi();
const listening = await witness.api.listen();
const codesOf = exchangeWith(witness, listening.url);
const { base, closed, open } = paths;
beforeEach(() => witness.reset());

describe('path confusion', () => {
  it.each<[string, readonly number[]]>([
    // An encoded slash separates parts like any other, for the authorizer too.
    [`${base}/open%2Fwidgets/a`, [200]],
    [`${base}/closed%2Fwidgets%2Fa`, [403]],
    [`${base}/open/widgets%2F..%2F..%2Fclosed%2Fwidgets%2Fa`, [404]],
    [`${base}/open/../closed/widgets/a`, [404]],
    [`${base}/open/widgets/../../closed/widgets/a`, [404]],
    [`${base}/open/./../closed/widgets/a`, [404]],
    [`${base}/open/%2e%2e/closed/widgets/a`, [404]],
    [`${base}/open/%252e%252e/closed/widgets/a`, [404]],
    [`${base}/closed%252Fwidgets/a`, [403]],
    [`${base}/%63losed/widgets/a`, [403]],
    [`${base}/%2563losed/widgets/a`, [403]],
    [`${base}/closed/widgets/a%00`, [403]],
    [`${base}/open%00/../closed/widgets/a`, [403]],
    [`${base}/open/widgets/a%00/../../../closed/widgets/a`, [404]],
    [`${base}//closed/widgets/a`, [403]],
    [`${base}/open//widgets/a`, [404]],
    [`/${base}/closed/widgets/a`, [403]],
    [`//apis/example.com/v1/namespaces/closed/widgets/a`, [403]],
    [`${base}/closed;open/widgets/a`, [403]],
    [`${base}/open;/../closed/widgets/a`, [403]],
    [`${base}/closed/widgets;a=b/a`, [403]],
    [`${base}\\closed\\widgets\\a`, [403]],
    [`${base}/open\\..\\closed/widgets/a`, [403]],
    [`${base}/open%5c..%5cclosed/widgets/a`, [403]],
    [`${base}/closed/widgets/a/`, [403]],
    [`${base}/CLOSED/widgets/a`, [403]],
    [`${base}/closed/widgets/a?namespace=open`, [403]],
    [`${base}/closed/widgets/a#/../open`, [403]],
    [`${base}/closed/widgets/a%23`, [403]],
    [`${base}/closed/widgets/a%3Fb`, [403]],
    [`${base}/closed/widgets/a%`, [400]],
    [`${base}/closed/widgets/a%zz`, [400]],
    [`${base}/closed/widgets/a%c0%af`, [403]],
    [`/apis/example.com/v1/watch/namespaces/closed/widgets/a`, [403]],
    [`/apis/example.com/v1/widgets?fieldSelector=metadata.namespace=open`, [403]],
    [`/apis/example.com/v1/widgets?fieldSelector=metadata.name=a`, [403]],
    [`/apis/example.com/v1/namespaces//widgets`, [403]],
    [`http://localhost${closed}/a`, [403]],
    [`http://localhost${open}/a`, [200]],
    [`http://open@localhost${closed}/a`, [403]],
    [`http://localhost/..${closed}/a`, [403]],
    [`http:${closed}/a`, [400]],
    [`file://${closed}/a`, [403]],
    [closed.slice(1), [400]],
    ['/hook/closed', [403]],
    ['/hook/open/../closed', [404]],
    ['/hook/open/%2e%2e/closed', [404]],
    ['/hook/open%2f..%2fclosed', [404]],
    ['/hook/open\\..\\closed', [403]],
    ['/hook/open/..;/closed', [200]],
    ['//hook/closed', [403]],
    ['/hook//closed', [403]],
    ['/%68ook/closed', [403]],
    ['/hook/%63losed', [403]],
    ['http://localhost/hook/open/../closed', [404]],
    ['*', [403]],
  ])('%s', async (target, codes) => {
    expect(await codesOf(message(`GET ${target}`, [last]))).toEqual(codes);
  });

  it('discovery answers for the path that was authorized', async () => {
    const kind = async (target: string): Promise<string | undefined> =>
      /"kind": ?"(\w+)"/.exec(await exchange(listening.url, message(`GET ${target}`, [last])))?.[1];
    expect(await kind('/apis/example.com/v1')).toBe('APIResourceList');
    expect(await kind('/apis%2Fexample.com%2Fv1')).toBe('APIResourceList');
    expect(await kind('/apis%2Fexample.com')).toBe('APIGroup');
  });

  it.each<[string, readonly number[]]>([
    ['POST', [404]],
    ['PUT', [404]],
    ['DELETE', [404]],
    ['PATCH', [404]],
    ['OPTIONS', [404]],
    ['TRACE', [404]],
    ['HEAD', [404]],
    ['PROPFIND', [404]],
    ['CONNECT', [405]],
  ])('by the method %s', async (method, codes) => {
    expect(await codesOf(message(`${method} ${base}/open/../closed/widgets/a`, ['Content-Length: 0', last]))).toEqual(
      codes,
    );
  });
});

describe('the verb and name from a query', () => {
  const name = (value: string): string => `fieldSelector=metadata.name${value}`;
  it.each<[string, string, string]>([
    [name('=a'), 'list', 'a'],
    [name('%3D%3Da'), 'list', 'a'],
    [`${name('=a')}&${name('=b')}`, 'list', 'a'],
    [`${name('=a')}&fieldSelector=`, 'list', 'a'],
    [`fieldSelector=&${name('=a')}`, 'list', ''],
    [`${name('=a')},metadata.name!=a`, 'list', 'a'],
    [`${name('=a')},metadata.namespace=closed`, 'list', 'a'],
    [`${name('=a')},metadata.name=b`, 'list', 'a'],
    [`${name('=a')};${name('=b')}`, 'list', ''],
    ['watch=false&watch=true', 'list', ''],
    ['watch=0', 'list', ''],
    ['Watch=true', 'list', ''],
    ['watch;=true', 'list', ''],
  ])('%s is a %s of the name %j', async (query, verb, asked) => {
    const [code] = await codesOf(message(`GET ${open}?${query}`, [last]));
    expect(code).toBe(200);
    expect(witness.asked).toMatchObject([{ verb, namespace: 'open', name: asked }]);
  });
});
