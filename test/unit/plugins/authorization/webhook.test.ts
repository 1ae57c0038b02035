import { describe, expect, it } from 'vitest';
import { compileMatchCondition, defineAuthorizationWebhook } from '../../../../plugins/index.js';
import type { AccessAttributes, JsonObject } from '../../../../runtime/contract/index.js';
import { testAuthorizer } from '../../../support/authorizer-suite.js';

const group = 'authorization.k8s.io';
const anna = { name: 'anna', uid: '7', groups: ['devs', 'ops'], extra: { team: ['a', 'b'] } };
const pods: AccessAttributes = {
  user: anna,
  verb: 'get',
  group: 'apps',
  version: 'v1',
  resource: 'deployments',
  subresource: 'scale',
  namespace: 'shop',
  name: 'web',
};
const path: AccessAttributes = { user: { name: '', uid: '', groups: [], extra: {} }, verb: 'get', path: '/metrics' };

type Options = Partial<Parameters<typeof defineAuthorizationWebhook>[0]>;

/** Makes a webhook that answers with a status, or with a text; `asked` records its requests. */
function define(status: JsonObject | string, options: Options = {}) {
  const asked: JsonObject[] = [];
  const problems: string[] = [];
  const state = { now: 1, status };
  const version = options.version ?? 'v1';
  const authorizer = defineAuthorizationWebhook({
    group,
    version,
    authorizedTtlMs: 1000,
    unauthorizedTtlMs: 100,
    clock: () => state.now,
    onProblem: (problem) => problems.push(problem),
    post: async (body) => {
      asked.push(JSON.parse(body));
      const { status: answer } = state;
      if (answer === 'down') return { ok: false, problem: 'the webhook is down' };
      const review = { apiVersion: `${group}/${version}`, kind: 'SubjectAccessReview', status: answer };
      return { ok: true, text: typeof answer === 'string' ? answer : JSON.stringify(review) };
    },
    ...options,
  });
  return { authorizer, asked, state, problems, decide: async (one = pods) => await authorizer.decide(one) };
}

testAuthorizer({ authorizer: define({ allowed: true }).authorizer, allowed: pods });
testAuthorizer({ authorizer: define({ allowed: false }).authorizer, refused: pods });

describe('a review', () => {
  const resourceAttributes = {
    namespace: 'shop',
    verb: 'get',
    group: 'apps',
    version: 'v1',
    resource: 'deployments',
    subresource: 'scale',
    name: 'web',
  };

  it.each([
    ['v1', { groups: anna.groups }, {}],
    ['v1beta1', { group: anna.groups }, { creationTimestamp: null }],
  ] as const)('of %s has all known facts of a request', async (version, groups, metadata) => {
    const { decide, asked } = define({}, { version, unsetTimes: 'creationTimestamp' in metadata });
    await decide();
    expect(asked).toEqual([
      {
        apiVersion: `${group}/${version}`,
        kind: 'SubjectAccessReview',
        metadata,
        spec: { resourceAttributes, user: 'anna', uid: '7', ...groups, extra: anna.extra },
        status: { allowed: false },
      },
    ]);
  });

  it('has the requirements of selectors', async () => {
    const { decide, asked } = define({});
    const fieldSelector = [{ key: 'spec.nodeName', operator: 'In' as const, values: ['a'] }];
    const labelSelector = [{ key: 'app', operator: 'Exists' as const }];
    await decide({ user: path.user, verb: 'list', group: '', resource: 'pods', fieldSelector, labelSelector });
    const selectors = {
      fieldSelector: { requirements: fieldSelector },
      labelSelector: { requirements: labelSelector },
    };
    expect(asked[0]?.spec).toEqual({ resourceAttributes: { verb: 'list', resource: 'pods', ...selectors } });
  });

  it('omits empty fields', async () => {
    const { decide, asked } = define({});
    await decide(path);
    await decide({ user: path.user, verb: 'list', group: '', resource: 'nodes' });
    expect(asked.map(({ spec }) => spec)).toEqual([
      { nonResourceAttributes: { path: '/metrics', verb: 'get' } },
      { resourceAttributes: { verb: 'list', resource: 'nodes' } },
    ]);
  });
});

describe('an answer', () => {
  it.each([
    [
      { allowed: true, reason: 'yes' },
      { decision: 'allow', reason: 'yes' },
    ],
    [
      { allowed: false, reason: 'unsure' },
      { decision: 'no opinion', reason: 'unsure' },
    ],
    [{ allowed: null }, { decision: 'no opinion' }],
    [{}, { decision: 'no opinion' }],
    [
      { denied: true, reason: 'never' },
      { decision: 'deny', reason: 'never' },
    ],
    [{ allowed: false, denied: true }, { decision: 'deny' }],
    [
      { allowed: true, denied: true },
      {
        decision: 'deny',
        evaluationError: 'webhook subject access review returned both allow and deny response',
      },
    ],
  ])('of %j decides', async (status, decision) => expect(await define(status).decide()).toEqual(decision));

  const kind = 'SubjectAccessReview';
  const apiVersion = `${group}/v1`;
  it.each([
    ['down', 'the webhook is down'],
    ['{', 'does not answer with JSON'],
    ['[]', 'does not answer with JSON'],
    [JSON.stringify({ status: { allowed: true } }), 'no version of no kind'],
    [JSON.stringify({ kind, apiVersion: `${group}/v1beta1`, status: { allowed: true } }), `not with ${apiVersion}`],
    [JSON.stringify({ kind: 'TokenReview', apiVersion, status: { allowed: true } }), 'TokenReview'],
    [JSON.stringify({ kind, apiVersion, status: { allowed: 'true' } }), 'not true or false'],
    [JSON.stringify({ kind, apiVersion, status: { allowed: true, denied: 'no' } }), 'not true or false'],
  ])('of %s yields no opinion and a problem', async (text, problem) => {
    const { decide, problems } = define(text);
    expect(await decide()).toEqual({
      decision: 'no opinion',
      evaluationError: expect.stringContaining(problem),
    });
    expect(problems).toEqual([expect.stringContaining(problem)]);
  });
});

describe('a decision', () => {
  it.each([
    [{ allowed: true }, 1000],
    [{ allowed: false }, 100],
    [{ denied: true }, 100],
  ])('of %j is kept for %i ms', async (status, ttl) => {
    const { decide, asked, state } = define(status);
    const first = await decide();
    state.now = 1 + ttl;
    expect(await decide()).toEqual(first);
    expect(asked).toHaveLength(1);
    state.now = 2 + ttl;
    await decide();
    expect(asked).toHaveLength(2);
  });

  it('is kept for one question of one user only', async () => {
    const { decide, asked } = define({ allowed: true });
    const questions = [
      pods,
      { ...pods, name: 'other' },
      { ...pods, user: { ...anna, groups: ['devs'] } },
      { ...pods, user: { ...anna, uid: '8' } },
      { ...pods, user: { ...anna, extra: {} } },
      path,
    ];
    for (const question of [...questions, ...questions]) await decide(question);
    expect(asked).toHaveLength(questions.length);
  });

  it('is not cached if the webhook fails', async () => {
    const { decide, asked, state } = define('down');
    await decide();
    state.status = { allowed: true };
    expect(await decide()).toEqual({ decision: 'allow' });
    expect(asked).toHaveLength(2);
  });

  it('is not kept with a duration of zero', async () => {
    const { decide, asked } = define({ allowed: true }, { authorizedTtlMs: 0 });
    await decide();
    await decide();
    expect(asked).toHaveLength(2);
  });

  it('is not cached if the question is too long', async () => {
    const { decide, asked } = define({ allowed: true });
    const long = (length: number) => ({ ...path, path: `/${'x'.repeat(length)}` });
    for (const length of [10_000 - 'get'.length - 2, 10_000 - 'get'.length - 1]) {
      await decide(long(length));
      await decide(long(length));
    }
    expect(asked).toHaveLength(3);
  });

  it('is not kept with a reason that is too long', async () => {
    const { decide, asked } = define({ allowed: true, reason: 'x'.repeat(10_000) });
    await decide();
    await decide();
    expect(asked).toHaveLength(2);
  });

  it('is evicted, least recently used first, when there are too many', async () => {
    const { decide, asked } = define({ allowed: true });
    const named = (name: string) => ({ ...pods, name });
    await decide(named('first'));
    await decide(named('second'));
    for (let i = 0; i < 8190; i++) await decide(named(`${i}`));
    await decide(named('first'));
    await decide(named('last'));
    asked.length = 0;
    await decide(named('first'));
    expect(asked).toHaveLength(0);
    await decide(named('second'));
    expect(asked).toHaveLength(1);
  });

  it('is requested once for simultaneous requests', async () => {
    const { authorizer, asked } = define({ allowed: true });
    const decisions = await Promise.all([authorizer.decide(pods), authorizer.decide(pods)]);
    expect(decisions).toEqual([{ decision: 'allow' }, { decision: 'allow' }]);
    expect(asked).toHaveLength(1);
  });
});

it('cannot list the rules of users', async () =>
  expect(await define({}).authorizer.rules?.(anna, 'shop')).toEqual({
    resourceRules: [],
    nonResourceRules: [],
    incomplete: true,
    evaluationError: 'webhook authorizer does not support user rule resolution',
  }));

describe('a call that fails in the program itself', () => {
  it('rejects all waiting requests on a failure, and no later ones', async () => {
    let fails = true;
    const status = { apiVersion: `${group}/v1`, kind: 'SubjectAccessReview', status: { allowed: true } };
    const post = async () => {
      if (fails) throw new Error('injected');
      return { ok: true as const, text: JSON.stringify(status) };
    };
    const { decide } = define({}, { post });
    const both = await Promise.allSettled([decide(), decide()]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    fails = false;
    expect(await decide()).toEqual({ decision: 'allow' });
  });
});

describe('match conditions', () => {
  const conditions = (...texts: readonly string[]) => ({
    matchConditions: texts.map((text) => {
      const compiled = compileMatchCondition(text, true);
      if (!compiled.ok) throw new Error(compiled.mistake);
      return compiled.expression;
    }),
  });
  const deep = 'request.resourceAttributes.subresource.size() > 0';

  it.each([
    ["request.user == 'anna' && request.uid == '7' && 'ops' in request.groups && request.extra.team == ['a', 'b']"],
    ["request.resourceAttributes.verb == 'get' && request.resourceAttributes.group == 'apps'"],
    ['!has(request.nonResourceAttributes) && !has(request.resourceAttributes.fieldSelector)'],
  ])('if %s holds, the webhook is asked', async (text) => {
    const { decide, asked } = define({ allowed: true }, conditions(text));
    expect(await decide()).toEqual({ decision: 'allow' });
    expect(asked).toHaveLength(1);
  });

  it('skip the webhook if one is false, whatever the others yield', async () => {
    const { decide, asked } = define(
      { allowed: true },
      { ...conditions(deep, "request.user == 'b'"), onFailure: 'deny' },
    );
    expect(await decide(path)).toEqual({ decision: 'no opinion' });
    expect(asked).toEqual([]);
  });

  it('decide by the failure policy if they cannot be evaluated', async () => {
    const evaluationError =
      "cel evaluation error: expression 'request.resourceAttributes.subresource.size() > 0' resulted in error: no such key: resourceAttributes";
    const options = conditions(deep, 'true');
    expect(await define({ allowed: true }, options).decide(path)).toEqual({ decision: 'no opinion', evaluationError });
    const strict = define({ allowed: true }, { ...options, onFailure: 'deny' });
    expect(await strict.decide(path)).toEqual({ decision: 'deny', evaluationError });
    expect(strict.asked).toEqual([]);
  });
});

it('denies after a failure if its policy says so, and asks again', async () => {
  const seen: unknown[][] = [];
  const observer = {
    matched: () => {},
    asked: (result: string) => seen.push(['asked', result]),
    failedOpen: (result: string) => seen.push(['failed open', result]),
  };
  const { decide, state } = define('down', { onFailure: 'deny', observer });
  expect(await decide()).toEqual({ decision: 'deny', evaluationError: 'the webhook is down' });
  state.status = { allowed: true };
  expect(await decide()).toEqual({ decision: 'allow' });
  expect(await define('down', { observer }).decide()).toHaveProperty('decision', 'no opinion');
  expect(seen).toEqual([
    ['asked', 'error'],
    ['asked', 'success'],
    ['asked', 'error'],
    ['failed open', 'error'],
  ]);
});
