/** Expressions of webhooks and policies: dynamic objects, what is null, and the authorizer. */
import { describe, expect, it } from 'vitest';
import {
  type Ask,
  admissionEnvironment,
  authorizerValue,
  compileExpression,
  resourceCheckValue,
} from '../../../../runtime/cel/index.js';
import type { AccessAttributes } from '../../../../runtime/contract/index.js';

const environment = admissionEnvironment({ params: true, authorizer: true });
const laterEnvironment = admissionEnvironment({ params: true, authorizer: true, later: true });

/** Returns the value of an expression, or its error. */
function evaluate(text: string, variables: Readonly<Record<string, unknown>> = {}, known = environment): unknown {
  const compiled = compileExpression(text, known);
  if (!compiled.ok) return compiled.failure.issues.map(({ message }) => message).join('; ');
  const outcome = compiled.expression.evaluate(variables);
  return outcome.ok ? outcome.value : outcome.message;
}

describe('dynamic objects', () => {
  it.each<[string, unknown]>([
    ['object.a < 1.5', true],
    ['object.a >= 1.5', false],
    ['dyn(1u) <= 1', true],
    ["object.a < 'x'", 'no such overload'],
    ['object.a + 1.5 == 2.5', 'no such overload'],
    ['object.list[1] > object.a', true],
    ["object.text.matches('^a+$')", true],
    ["object.a.matches('^a+$')", 'no such overload'],
  ])('%s', (text, yielded) => {
    expect(evaluate(text, { object: { a: 1, list: [1, 2], text: 'aa' } })).toEqual(yielded);
  });

  it('have patterns that are checked first', () => {
    expect(evaluate("object.text.matches('(')")).toContain('error parsing regexp');
  });
});

describe('null', () => {
  it.each<[string, unknown]>([
    ['oldObject == null', true],
    ['params == null', true],
    ['params.data', 'no such key: data'],
    ['has(params.data)', false],
    ['object.data.a', 'no such key: data'],
    ['object == null', 'no such attribute(s): object'],
  ])('%s', (text, yielded) => {
    const object = text.startsWith('object.') ? { object: {} } : {};
    expect(evaluate(text, { oldObject: null, params: null, ...object })).toEqual(yielded);
  });
});

describe('the authorizer', () => {
  const user = { name: 'anna', uid: '', groups: ['staff'], extra: {} };
  const place = { group: 'apps', resource: 'deployments', subresource: '', namespace: 'home', name: 'web' };

  /** Returns the questions to the authorizer, and its answers. */
  function asked(text: string, answer: ReturnType<Ask> = { decision: 'allow' }, known = environment) {
    const questions: AccessAttributes[] = [];
    const ask: Ask = (question) => {
      questions.push(question);
      return answer;
    };
    const yielded = evaluate(
      text,
      {
        authorizer: authorizerValue(user, ask),
        'authorizer.requestResource': resourceCheckValue(user, ask, place),
      },
      known,
    );
    return { questions, yielded };
  }

  it.each<[string, object]>([
    ["authorizer.path('/metrics').check('get')", { path: '/metrics', verb: 'get' }],
    [
      "authorizer.group('apps').resource('deployments').check('list')",
      { group: 'apps', resource: 'deployments', subresource: '', namespace: '', name: '', verb: 'list' },
    ],
    [
      "authorizer.group('').resource('pods').subresource('log').namespace('home').name('web').check('get')",
      { group: '', resource: 'pods', subresource: 'log', namespace: 'home', name: 'web', verb: 'get' },
    ],
    ["authorizer.requestResource.check('delete')", { ...place, verb: 'delete' }],
    ["authorizer.requestResource.name('').check('delete')", { ...place, name: '', verb: 'delete' }],
  ])('is asked by %s', (text, question) => {
    expect(asked(`${text}.allowed()`)).toEqual({ questions: [{ user, ...question }], yielded: true });
  });

  it.each([
    [
      "labelSelector('a').fieldSelector('b=c')",
      {
        fieldSelector: [{ key: 'b', operator: 'In', values: ['c'] }],
        labelSelector: [{ key: 'a', operator: 'Exists' }],
      },
    ],
    ["labelSelector('(')", {}],
  ])('is asked with %s by later releases', (selectors, known) => {
    const text = `authorizer.group('').resource('pods').${selectors}.check('list').allowed()`;
    const question = { group: '', resource: 'pods', subresource: '', namespace: '', name: '', verb: 'list' };
    expect(asked(text, { decision: 'allow' }, laterEnvironment)).toEqual({
      questions: [{ user, ...question, ...known }],
      yielded: true,
    });
    expect(asked(text).yielded).toContain('undeclared reference');
  });

  it('is asked for service accounts', () => {
    const { questions } = asked("authorizer.serviceAccount('home', 'robot').path('/a').check('get').allowed()");
    const groups = ['system:serviceaccounts', 'system:serviceaccounts:home'];
    const account = { name: 'system:serviceaccount:home:robot', uid: '', groups, extra: {} };
    expect(questions).toEqual([{ user: account, path: '/a', verb: 'get' }]);
  });

  it.each([
    ["authorizer.path(' ').check('get').allowed()", 'path must not be empty'],
    ["authorizer.group('').resource('').check('get').allowed()", 'resource must not be empty'],
    ["authorizer.serviceAccount('home', 'a b').path('/').check('get').allowed()", 'Invalid service account name'],
    ["authorizer.serviceAccount('a.b', 'robot').path('/').check('get').allowed()", 'Invalid service account namespace'],
  ])('is not asked by %s', (text, message) => {
    expect(asked(text)).toEqual({ questions: [], yielded: message });
  });

  it.each<[string, unknown]>([
    ['allowed()', false],
    ['reason()', 'because'],
    ['errored()', true],
    ['error()', 'broken'],
  ])('answers %s', (part, yielded) => {
    const answer = { decision: 'deny', reason: 'because', evaluationError: 'broken' } as const;
    expect(asked(`authorizer.path('/').check('get').${part}`, answer).yielded).toBe(yielded);
  });

  it('gives no reason without one', () => {
    expect(asked("authorizer.path('/').check('get').reason()").yielded).toBe('');
    expect(asked("authorizer.path('/').check('get').errored()").yielded).toBe(false);
  });
});
