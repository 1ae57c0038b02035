import { describe, expect, it } from 'vitest';
import { whoCan, whoCanLines } from '../../../../server/access/answer-questions.js';
import { matrixLines, matrixOf, usualVerbs } from '../../../../server/access/matrix.js';
import { subjectText } from '../../../../server/access/policy.js';
import type { Question } from '../../../../server/access/question.js';
import { ask, policy } from './policies.js';

const those = (question: Question, everywhere = false) => {
  const { subjects, limited } = whoCan(policy, question, everywhere);
  return [subjects.map(subjectText), limited.map((one) => `${subjectText(one)}: ${one.resourceNames?.join(' ')}`)];
};

const always = ['Group system:masters', 'Group roots'];
const clerks = ['User anna', 'ServiceAccount shop/bot'];

describe('an answer to who can', () => {
  it.each<[string, Question, readonly string[], readonly string[]]>([
    ['get secrets', ask('get', 'secrets'), clerks, ['Group devs: s0 s1']],
    ['get secrets s1', ask('get', 'secrets', { name: 's1' }), [...clerks, 'Group devs'], []],
    ['get secrets s2', ask('get', 'secrets', { name: 's2' }), clerks, []],
    ['create secrets', ask('create', 'secrets'), [], []],
    ['get secrets of another namespace', ask('get', 'secrets', { namespace: 'back' }), [], []],
    ['get secrets of all namespaces together', ask('get', 'secrets', { namespace: '' }), [], []],
    ['get pods', ask('get', 'pods'), ['Group lookers', ...clerks], []],
    ['get pods/log', ask('get', 'pods', { subresource: 'log' }), ['Group lookers'], []],
    ['get pods of another group', ask('get', 'pods', { group: 'x' }), [], []],
    ['get nodes', ask('get', 'nodes', { namespace: '' }), [], []],
    ['get /metrics', { verb: 'get', path: '/metrics' }, ['User prom'], []],
    ['get /debug/x', { verb: 'get', path: '/debug/x' }, ['User prom'], []],
    ['post /metrics', { verb: 'post', path: '/metrics' }, [], []],
  ])('%s', (_, question, subjects, limited) => expect(those(question)).toEqual([[...always, ...subjects], limited]));

  it('in any namespace', () => {
    const [subjects] = those(ask('get', 'pods', { namespace: '' }), true);
    expect(subjects).toEqual([...always, 'Group lookers', 'User ben', ...clerks]);
  });

  it('names the binding and role, and missing parts', () => {
    const { subjects, remarks } = whoCan(policy, ask('list', 'secrets'), false);
    expect(subjects.at(-1)).toEqual({
      kind: 'ServiceAccount',
      name: 'bot',
      namespace: 'shop',
      binding: { kind: 'RoleBinding', name: 'clerks', namespace: 'shop' },
      role: { kind: 'Role', name: 'clerk', namespace: 'shop' },
    });
    expect(remarks).toEqual(['RoleBinding shop/gone gives Role shop/gone, which does not exist']);
  });

  it('is printed in lines', () =>
    expect([...whoCanLines(whoCan(policy, ask('get', 'secrets'), false))]).toEqual(
      [
        'SUBJECT                  GRANTED BY                ROLE',
        'Group system:masters     the server itself, always  -',
        'Group roots              ClusterRoleBinding admins  ClusterRole root',
        'User anna                RoleBinding shop/clerks    Role shop/clerk',
        'ServiceAccount shop/bot  RoleBinding shop/clerks    Role shop/clerk',
        '',
        'only for some names:',
        'SUBJECT     NAMES  GRANTED BY             ROLE',
        'Group devs  s0,s1  RoleBinding shop/ones  Role shop/one',
      ].map((line) => line.replace('GRANTED BY                ROLE', 'GRANTED BY                 ROLE')),
    ));
});

describe('the matrix', () => {
  const resources = (['secrets', 'pods', 'nodes'] as const).map((resource) => ({
    group: '',
    resource,
    subresource: '',
    namespaced: resource !== 'nodes',
  }));
  const question = { namespace: 'shop', verbs: ['get', 'list', 'create'], resources, system: false };

  it('has a line for each subject and rights', () =>
    expect([...matrixLines(matrixOf(policy, question))]).toEqual([
      'SUBJECT                  GET   LIST  CREATE  RESOURCES',
      'Group devs               some  -     -       secrets',
      'Group lookers            yes   yes   -       pods',
      'Group roots              yes   yes   yes     *',
      'ServiceAccount shop/bot  yes   yes   -       secrets',
      'ServiceAccount shop/bot  yes   -     -       pods',
      'User anna                yes   yes   -       secrets',
      'User anna                yes   -     -       pods',
    ]));

  it('shows subjects of the system on request', () => {
    const { subjects, remarks } = matrixOf(policy, { ...question, system: true });
    expect(subjects.map(subjectText)).toContain('Group system:masters');
    expect(remarks).toEqual([]);
    expect(matrixOf(policy, question).remarks).toEqual(['1 subject of the system is left out; --system shows it']);
  });

  it('agrees with who can', () => {
    const { subjects } = matrixOf(policy, { ...question, verbs: usualVerbs, system: true });
    for (const { resource, namespaced } of resources) {
      for (const verb of usualVerbs) {
        const holders = whoCan(policy, ask(verb, resource, { namespace: namespaced ? 'shop' : '' }), false).subjects;
        const inMatrix = subjects.filter(({ resources: cells }) =>
          cells.some((cell) => cell.resource === resource && cell.verbs.includes(verb)),
        );
        expect(inMatrix.map(subjectText).sort(), `${verb} ${resource}`).toEqual(holders.map(subjectText).sort());
      }
    }
  });
});
