import { describe, expect, it } from 'vitest';
import { readAuditPolicy } from '../../../../plugins/index.js';
import type { AccessAttributes, AuditDecision, UserInfo } from '../../../../runtime/contract/index.js';

const user: UserInfo = { name: 'ann', uid: '', groups: ['devs', 'system:authenticated'], extra: {} };

const about = (resource: string, more: object = {}): AccessAttributes => ({
  user,
  verb: 'get',
  group: '',
  namespace: 'default',
  name: 'one',
  ...(resource.includes('/') ? { subresource: resource.split('/')[1] } : {}),
  resource: resource.split('/')[0] ?? '',
  ...more,
});
const path = (text: string): AccessAttributes => ({ user, verb: 'get', path: text });

/** Returns the decision of a policy with these rules, written as flow YAML. */
function decision(rules: string, attributes: AccessAttributes, more = ''): AuditDecision {
  const read = readAuditPolicy(Buffer.from(`apiVersion: audit.k8s.io/v1\nkind: Policy\n${more}\nrules: [${rules}]`));
  if (!read.ok) throw new Error(read.problems.join('\n'));
  return read.policy.decide(attributes);
}

const level = (rules: string, attributes: AccessAttributes): string => decision(rules, attributes).level;

describe('an audit policy', () => {
  it('decides by the first matching rule', () => {
    const rules = '{ level: None, users: [bob] }, { level: Request, users: [ann] }, { level: Metadata }';
    expect(level(rules, about('pods'))).toBe('Request');
  });

  it('records nothing that matches no rule', () =>
    expect(level('{ level: Metadata, users: [bob] }', about('pods'))).toBe('None'));

  it.each([
    ['userGroups: [devs]', about('pods'), true],
    ['userGroups: [ops]', about('pods'), false],
    ['verbs: [list]', about('pods'), false],
    ['namespaces: [default]', about('pods'), true],
    ['namespaces: [""]', about('nodes', { namespace: '' }), true],
    ['namespaces: [other]', about('pods'), false],
    ['namespaces: [default]', path('/metrics'), false],
    ['resources: [{ group: "" }]', about('pods/log'), true],
    ['resources: [{ group: apps }]', about('pods'), false],
    ['resources: [{ resources: [pods] }]', about('pods'), true],
    ['resources: [{ resources: [pods] }]', about('pods/log'), false],
    ['resources: [{ resources: [pods/log] }]', about('pods/log'), true],
    ['resources: [{ resources: [pods/*] }]', about('pods/log'), true],
    ['resources: [{ resources: [pods/*] }]', about('pods'), true],
    ['resources: [{ resources: ["*/log"] }]', about('pods/log'), true],
    ['resources: [{ resources: ["*/log"] }]', about('pods'), false],
    ['resources: [{ resources: ["*"] }]', about('pods/log'), true],
    ['resources: [{ resources: [pods], resourceNames: [one] }]', about('pods'), true],
    ['resources: [{ resources: [pods], resourceNames: [two] }]', about('pods'), false],
    ['nonResourceURLs: [/metrics]', path('/metrics'), true],
    ['nonResourceURLs: ["/health*"]', path('/healthz/ping'), true],
    ['nonResourceURLs: ["*"]', path('/any'), true],
    ['nonResourceURLs: ["*"]', about('pods'), false],
    ['nonResourceURLs: [/metrics]', path('/metrics/more'), false],
  ])('%s on %j: %s', (rule, attributes, fits) =>
    expect(level(`{ level: Metadata, ${rule} }`, attributes)).toBe(fits ? 'Metadata' : 'None'),
  );

  it.each(['rbac.authorization.platform.io', 'rbac.authorization.k8s.io'])('names a group %s', (group) => {
    const rules = `{ level: Request, resources: [{ group: ${group} }] }`;
    expect(level(rules, about('roles', { group: 'rbac.authorization.k8s.io' }))).toBe('Request');
    expect(level(rules, about('roles', { group: 'rbac.authorization.platform.io' }))).toBe('Request');
  });

  it('has omissions of its own and of its rules', () => {
    const rules = '{ level: Request, omitStages: [Panic], omitManagedFields: false }, { level: Request }';
    const found = decision(rules, about('pods'), 'omitStages: [RequestReceived]\nomitManagedFields: true');
    expect([...found.omitStages]).toEqual(['RequestReceived', 'Panic']);
    expect(found.omitManagedFields).toBe(false);
  });
});

describe('bodies that are secret', () => {
  const reviews = about('tokenreviews', { group: 'authentication.k8s.io', verb: 'create' });
  it.each([
    ['', about('secrets'), 'Metadata'],
    ['resources: [{ group: "" }]', about('secrets'), 'Metadata'],
    ['resources: [{ resources: ["*"] }]', about('secrets'), 'Metadata'],
    ['resources: [{ resources: [secrets] }]', about('secrets'), 'RequestResponse'],
    ['resources: [{ resources: [pods, secrets] }]', about('pods'), 'RequestResponse'],
    ['resources: [{ group: authentication.k8s.io }]', reviews, 'Metadata'],
    ['resources: [{ group: authentication.k8s.io, resources: [tokenreviews] }]', reviews, 'RequestResponse'],
    ['', about('serviceaccounts/token'), 'Metadata'],
    ['resources: [{ group: "" }]', about('serviceaccounts'), 'RequestResponse'],
  ])('under { %s }, of %j: %s', (rule, attributes, expected) =>
    expect(level(`{ level: RequestResponse, ${rule} }`, attributes)).toBe(expected),
  );

  it('leaves the token out of a request that a rule of the group records', () => {
    const token = about('serviceaccounts/token');
    const wide = decision('{ level: RequestResponse, resources: [{ group: "" }] }', token);
    expect(wide).toMatchObject({ level: 'RequestResponse', omitToken: true });
    const named = decision('{ level: RequestResponse, resources: [{ resources: [serviceaccounts/token] }] }', token);
    expect(named).toMatchObject({ level: 'RequestResponse', omitToken: false });
  });
});

describe('mistakes of a policy', () => {
  it.each([
    ['rules: []', 'rules: a policy without rules'],
    ['rules: [{ level: Metdata }]', 'rules[0].level: "Metdata" is unknown; did you mean `Metadata`?'],
    ['rules: [{ users: [a] }]', 'rules[0].level: missing'],
    ['rules: [{ level: None, user: [a] }]', 'rules[0].user: unknown field; did you mean `users`?'],
    ['rules: [{ level: None, verbs: get }]', 'rules[0].verbs: not a list of texts'],
    ['rules: [{ level: None, omitStages: [Started] }]', 'rules[0].omitStages[0]: "Started" is unknown'],
    [
      'rules: [{ level: None, resources: [{ resourceNames: [a] }] }]',
      'rules[0].resources[0].resourceNames: must not be without resources',
    ],
    [
      'rules: [{ level: None, resources: [{ group: apps/v1 }] }]',
      'rules[0].resources[0].group: "apps/v1" has a version',
    ],
    ['rules: [{ level: None, nonResourceURLs: [a] }]', 'rules[0].nonResourceURLs[0]: "a": must begin'],
    ['rules: [{ level: None, nonResourceURLs: ["/a*b"] }]', 'rules[0].nonResourceURLs[0]: "/a*b": may have a star'],
    [
      'rules: [{ level: None, namespaces: [a], nonResourceURLs: [/a] }]',
      'rules[0].nonResourceURLs: must not be beside',
    ],
    ['rule: [{ level: None }]', 'rule: unknown field; did you mean `rules`?'],
  ])('%s', (text, problem) => {
    const read = readAuditPolicy(Buffer.from(`apiVersion: audit.k8s.io/v1\nkind: Policy\n${text}`));
    expect(read.ok ? [] : read.problems.join('\n')).toContain(problem);
  });

  it.each(['apiVersion: audit.k8s.io/v1beta1\nkind: Policy', 'kind: Policy', 'apiVersion: audit.k8s.io/v1'])(
    '%s',
    (head) => {
      const read = readAuditPolicy(Buffer.from(`${head}\nrules: [{ level: Metadata }]`));
      expect(read).toMatchObject({ ok: false, problems: [expect.stringContaining('apiVersion: ')] });
    },
  );

  it('refuses malformed YAML', () => expect(readAuditPolicy(Buffer.from('rules: ['))).toMatchObject({ ok: false }));
});
