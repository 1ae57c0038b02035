import { describe, expect, it } from 'vitest';
import type { Failure, StatusReason } from '../../../../runtime/contract/index.js';
import { invalidValue, required } from '../../../../runtime/objects/field-error.js';
import * as status from '../../../../runtime/objects/status.js';

const user = { name: 'jane', uid: '', groups: [], extra: {} };

describe('toStatus', () => {
  it('makes a body in the order that clients print', () => {
    const { code, body } = status.toStatus(status.notFound('apps', 'deployments', 'd'));
    expect(code).toBe(404);
    expect(JSON.stringify(body)).toBe(
      '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"deployments.apps \\"d\\" not found",' +
        '"reason":"NotFound","details":{"name":"d","group":"apps","kind":"deployments"},"code":404}',
    );
  });

  it('leaves out empty fields, but keeps empty details', () => {
    expect(status.toStatus(status.notFound('', 'pods', '')).body.details).toEqual({ kind: 'pods' });
    expect(status.toStatus(status.genericNotFound()).body.details).toEqual({});
    expect(status.toStatus(status.invalid('', 'Pod', 'p', [])).body.details).toEqual({ name: 'p', kind: 'Pod' });
    expect(Object.keys(status.toStatus(status.badRequest('x')).body)).not.toContain('details');
    expect(Object.keys(status.toStatus(status.badRequest('')).body)).not.toContain('message');
  });

  it('has the reason, the message and the field of each cause', () => {
    expect(status.toStatus(status.invalid('', 'Pod', 'p', [required('spec.b')])).body.details).toEqual({
      name: 'p',
      kind: 'Pod',
      causes: [{ reason: 'FieldValueRequired', message: 'Required value', field: 'spec.b' }],
    });
  });

  it('leaves out an absent reason, and sends an explicit code', () => {
    const { code, body } = status.toStatus(status.plainFailure('oops'));
    expect([code, 'reason' in body, body.message]).toEqual([500, false, 'oops']);
    expect(status.toStatus(status.withCode(status.badRequest('x'), 403))).toMatchObject({
      code: 403,
      body: { code: 403 },
    });
  });

  it.each<[StatusReason, number]>([
    ['BadRequest', 400],
    ['Unauthorized', 401],
    ['Forbidden', 403],
    ['NotFound', 404],
    ['MethodNotAllowed', 405],
    ['NotAcceptable', 406],
    ['AlreadyExists', 409],
    ['Conflict', 409],
    ['Gone', 410],
    ['Expired', 410],
    ['RequestEntityTooLarge', 413],
    ['UnsupportedMediaType', 415],
    ['Invalid', 422],
    ['TooManyRequests', 429],
    ['InternalError', 500],
    ['ServerTimeout', 500],
    ['ServiceUnavailable', 503],
    ['Timeout', 504],
  ])('%s is %i', (reason, code) => {
    expect(status.codeOf(reason)).toBe(code);
  });

  it('answers deletes and other successes', () => {
    expect(status.deletedStatus('', 'configmaps', 'a', 'u')).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'a', kind: 'configmaps', uid: 'u' },
    });
    expect(status.successStatus(201)).toMatchObject({ status: 'Success', code: 201 });
  });
});

describe('failures', () => {
  it.each<[Failure, string]>([
    [status.unauthorized(), 'Unauthorized'],
    [status.methodNotSupported(), 'the server does not allow this method on the requested resource'],
    [status.genericNotFound(), 'the server could not find the requested resource'],
    [status.unprocessable(), 'the server rejected our request due to an error in our request'],
    [status.verbNotSupported('create', 'a.b', 'cs'), 'create is not supported on resources of kind "cs.a.b"'],
    [status.notAcceptable(['a/b', 'c/d']), 'only the following media types are accepted: a/b, c/d'],
    [
      status.unsupportedMediaType(['a/b']),
      'the body of the request was in an unknown format - accepted media types include: a/b',
    ],
    [status.alreadyExists('', 'pods', 'p'), 'pods "p" already exists'],
    [
      status.alreadyExists('', 'pods', 'p', 'object is being deleted: '),
      'object is being deleted: pods "p" already exists',
    ],
    [
      status.conflict('g', 'rs', 'n'),
      'Operation cannot be fulfilled on rs.g "n": the object has been modified; please apply your changes to the latest version and try again',
    ],
    [status.gone('left'), 'left'],
    [status.expired(), 'The resourceVersion for the provided list is too old.'],
    [status.requestEntityTooLarge('limit is 3'), 'Request entity too large: limit is 3'],
    [status.internalFailure('x'), 'Internal error occurred: x'],
    [
      status.serverTimeout('list', '', 'pods', 2),
      'The list operation against pods could not be completed at this time, please try again.',
    ],
    [status.serviceUnavailable('not ready'), 'not ready'],
    [status.tooLargeResourceVersion(9, 5), 'Timeout: Too large resource version: 9, current: 5'],
    [status.tooManyRequests('slow down', 3), 'slow down'],
    [status.pathDenied('jane', 'get', '/x'), 'forbidden: User "jane" cannot get path "/x"'],
    [status.pathDenied('jane', 'get', '/x', 'no'), 'forbidden: User "jane" cannot get path "/x": no'],
    [
      status.accessDenied({ user, verb: 'list', group: '', resource: 'pods' }),
      'pods is forbidden: User "jane" cannot list resource "pods" in API group "" at the cluster scope',
    ],
    [
      status.accessDenied(
        { user, verb: 'get', group: 'apps', resource: 'deployments', subresource: 'scale', namespace: 'n', name: 'd' },
        'RBAC: x',
      ),
      'deployments.apps "d" is forbidden: User "jane" cannot get resource "deployments/scale" in API group "apps" in the namespace "n": RBAC: x',
    ],
  ])('%# has the known message', (failure, message) => {
    expect(failure.message).toBe(message);
  });

  it('list invalid fields, each as a cause, and repeats once in the message', () => {
    const error = invalidValue('spec.a', 'x', 'no');
    const failure = status.invalid('g', 'Kind', 'n', [error, required('spec.b'), error]);
    expect(failure.message).toBe('Kind.g "n" is invalid: [spec.a: Invalid value: "x": no, spec.b: Required value]');
    expect(failure.details?.causes).toHaveLength(3);
    expect(status.invalid('', 'Kind', '', [error]).message).toBe('Kind "" is invalid: spec.a: Invalid value: "x": no');
    expect(status.invalid('', 'Kind', 'n', []).message).toBe('Kind "n" is invalid');
  });

  it('group apply conflicts by owner', () => {
    const one = { owner: '"a"', field: '.x' };
    expect(status.applyConflict([one]).message).toBe('Apply failed with 1 conflict: conflict with "a": .x');
    const many = status.applyConflict([one, { owner: '"b" using v1', field: '.z' }, { owner: '"a"', field: '.y' }]);
    expect(many.message).toBe(
      'Apply failed with 3 conflicts: conflicts with "a":\n- .x\n- .y\nconflicts with "b" using v1:\n- .z',
    );
    expect(many.details?.causes?.[1]).toEqual({
      reason: 'FieldManagerConflict',
      message: 'conflict with "b" using v1',
      field: '.z',
    });
  });

  it('carry causes and waiting times', () => {
    expect(status.tooLargeResourceVersion(9, 5).details).toEqual({
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    });
    expect(status.isFailure(status.gone('x'), 'Gone')).toBe(true);
    expect(status.isFailure(undefined, 'Gone')).toBe(false);
  });
});
