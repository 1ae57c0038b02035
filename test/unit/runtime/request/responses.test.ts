/** Answers made of outcomes and failures: their code, their headers, their body. */
import { describe, expect, it } from 'vitest';
import type { Result } from '../../../../runtime/contract/index.js';
import type { ApiResponse } from '../../../../runtime/request/api-request.js';
import { ListsInMaking } from '../../../../runtime/request/lists-in-making.js';
import type { Outcome } from '../../../../runtime/request/outcome.js';
import { jsonRepresentation } from '../../../../runtime/request/representation/json.js';
import type { Representation } from '../../../../runtime/request/representation/representation.js';
import {
  answerDeleted,
  answerFailure,
  answerOutcome,
  answerPage,
  answerStatus,
} from '../../../../runtime/request/responses.js';
import { verbRequest } from '../../../support/verb-requests.js';
import { widget, widgets } from '../../../support/widgets.js';

const object = widget('a', {}, { uid: 'u', resourceVersion: '4' });
const outcome: Outcome = { object, created: false, removed: false };
const done = (value: Outcome): Result<Outcome> => ({ ok: true, value });

const bodyOf = ({ body }: ApiResponse) =>
  JSON.parse(body instanceof Uint8Array ? Buffer.from(body).toString() : '"not one piece"');

describe('the answer to a write', () => {
  it.each([
    [true, 201],
    [false, 200],
  ])('that created the object: %s, is a %d', (created, code) => {
    expect(answerOutcome(verbRequest(), jsonRepresentation, done({ ...outcome, created })).code).toBe(code);
  });

  it('is the bytes that are stored, where they are', () => {
    const bytes = Buffer.from('{"stored":true}');
    const entry = { key: 'k', revision: 4, bytes, attributes: { labels: {}, fields: {} } };
    expect(answerOutcome(verbRequest(), jsonRepresentation, done({ ...outcome, entry })).body).toBe(bytes);
    expect(bodyOf(answerOutcome(verbRequest(), jsonRepresentation, done(outcome)))).toEqual(object);
  });
});

describe('the answer that is a list', () => {
  const page = { revision: 1, entries: [], repeated: false, selected: false, continueToken: '' };
  const inPieces: Representation = { ...jsonRepresentation, list: () => [Buffer.from('piece')].values() };

  it('is streamed where it is made in pieces', () => {
    const { code, body } = answerPage(verbRequest(), inPieces, page);
    expect(code).toBe(200);
    expect(body).toMatchObject({ ends: true });
  });

  it('is refused while as many are being made as there is room for', () => {
    const listsInMaking = new ListsInMaking(1);
    const end = listsInMaking.begin(() => {});
    const ask = (form: Representation) => answerPage(verbRequest({ services: { listsInMaking } }), form, page);
    const refused = ask(inPieces);
    expect(refused).toMatchObject({ code: 429, headers: { 'retry-after': '1' } });
    expect(bodyOf(refused)).toMatchObject({ reason: 'TooManyRequests', details: { retryAfterSeconds: 1 } });
    expect(ask(jsonRepresentation).code).toBe(200);
    end();
    expect(ask(inPieces).code).toBe(200);
  });
});

describe('the answer to a delete', () => {
  const answer = (deleteReturns: 'object' | 'Status', removed: boolean) =>
    answerDeleted(
      verbRequest({ module: { ...widgets, deleteReturns } }),
      jsonRepresentation,
      done({ ...outcome, removed }),
    );

  it('is the object while it is still there, or where the kind says so', () => {
    expect(bodyOf(answer('Status', false))).toEqual(object);
    expect(bodyOf(answer('object', true))).toEqual(object);
  });

  it('is a Status for an object that is gone', () => {
    expect(bodyOf(answer('Status', true))).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'a', group: 'example.com', kind: 'widgets', uid: 'u' },
    });
  });
});

describe('the answer to a failure', () => {
  it('is a Status with its code, and the warnings until then', () => {
    const verb = verbRequest();
    verb.warnings.push('look out');
    const answer = answerFailure(verb, { reason: 'Conflict', message: 'too late' });
    expect(answer).toMatchObject({ code: 409, contentType: 'application/json' });
    expect(answer.headers).toEqual({ warning: ['299 - "look out"'] });
    expect(bodyOf(answer)).toMatchObject({ kind: 'Status', reason: 'Conflict', message: 'too late', code: 409 });
  });

  it('says when to try again', () => {
    const answer = answerFailure(undefined, {
      reason: 'TooManyRequests',
      message: 'later',
      details: { retryAfterSeconds: 3 },
    });
    expect(answer.headers).toEqual({ 'retry-after': '3' });
  });
});

describe('any other answer', () => {
  it('carries warnings too', () => {
    const verb = verbRequest();
    verb.warnings.push('look out');
    expect(answerStatus(verb, jsonRepresentation, 200, {}).headers).toEqual({ warning: ['299 - "look out"'] });
  });
});
