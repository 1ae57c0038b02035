/** Answers to outcomes and failures: their code, their headers, their body. */
import { describe, expect, it } from 'vitest';
import type { Result } from '../../../../runtime/contract/index.js';
import type { ApiResponse } from '../../../../runtime/request/api-request.js';
import { ListsInMaking } from '../../../../runtime/request/pour.js';
import { jsonRepresentation } from '../../../../runtime/request/representation/json.js';
import type { Representation } from '../../../../runtime/request/representation/representation.js';
import {
  answerDeleted,
  answerFailure,
  answerOutcome,
  answerPage,
  answerStatus,
  type WriteOutcome,
  warningHeaders,
} from '../../../../runtime/request/responses.js';
import { warn } from '../../../../runtime/request/verb-request.js';
import { verbRequest } from '../../../support/verb-requests.js';
import { widget, widgets } from '../../../support/widgets.js';

const object = widget('a', {}, { uid: 'u', resourceVersion: '4' });
const outcome: WriteOutcome = { object, created: false, removed: false };
const done = (value: WriteOutcome): Result<WriteOutcome> => ({ ok: true, value });

const bodyOf = ({ body }: ApiResponse) =>
  JSON.parse(body instanceof Uint8Array ? Buffer.from(body).toString() : '"not one piece"');

describe('the answer to a write', () => {
  it.each([
    [true, 201],
    [false, 200],
  ])('that created the object: %s, is a %d', (created, code) => {
    expect(answerOutcome(verbRequest(), jsonRepresentation, done({ ...outcome, created })).code).toBe(code);
  });

  it('is the stored bytes, if they can be sent', () => {
    const bytes = Buffer.from('{"stored":true}');
    const entry = { key: 'k', revision: 4, bytes, attributes: { labels: {}, fields: {} } };
    expect(answerOutcome(verbRequest(), jsonRepresentation, done({ ...outcome, entry })).body).toBe(bytes);
    expect(bodyOf(answerOutcome(verbRequest(), jsonRepresentation, done(outcome)))).toEqual(object);
  });
});

describe('the answer that is a list', () => {
  const page = { revision: 1, entries: [], repeated: false, selected: false, continueToken: '' };
  const inPieces: Representation = { ...jsonRepresentation, list: () => [Buffer.from('piece')].values() };

  it('is streamed if it is made in pieces', () => {
    const { code, body } = answerPage(verbRequest(), inPieces, page);
    expect(code).toBe(200);
    expect(body).toMatchObject({ ends: true });
  });

  it('is refused while the limit of lists in the making is reached', () => {
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

  it('is the object while it still exists, or if the kind returns objects', () => {
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
  it('is a Status with its code, and the warnings so far', () => {
    const verb = verbRequest();
    verb.warnings.push('look out');
    const answer = answerFailure(verb, { reason: 'Conflict', message: 'too late' });
    expect(answer).toMatchObject({ code: 409, contentType: 'application/json' });
    expect(answer.headers).toEqual({ warning: ['299 - "look out"'] });
    expect(bodyOf(answer)).toMatchObject({ kind: 'Status', reason: 'Conflict', message: 'too late', code: 409 });
  });

  it('has the time to wait before a retry', () => {
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

function headersOf(...texts: string[]) {
  const verb = verbRequest();
  for (const text of texts) warn(verb, text);
  return warningHeaders(verb);
}

describe('warnings', () => {
  it('have no header without texts', () => {
    expect(headersOf()).toEqual({});
  });

  it('are one header each, in order, each text once', () => {
    expect(headersOf('b', 'a', 'b')).toEqual({ warning: ['299 - "b"', '299 - "a"'] });
  });

  it.each([
    ['unknown field "spec.x"', String.raw`299 - "unknown field \"spec.x\""`],
    ['a\\b', String.raw`299 - "a\\b"`],
    ['café', '299 - "caf\u00c3\u00a9"'],
    ['→', '299 - "\u00e2\u0086\u0092"'],
  ])('encode %j for a header', (text, header) => {
    expect(headersOf(text)).toEqual({ warning: [header] });
  });

  it.each(['a\r\nSet-Cookie: x', 'a\tb', 'a\u0000b', 'a\u007fb', 'a\u0085b'])(
    'leave out %j, which no header may contain',
    (text) => {
      expect(headersOf(text)).toEqual({});
      expect(headersOf(text, 'b')).toEqual({ warning: ['299 - "b"'] });
    },
  );

  it('are whole while they are short together', () => {
    const texts = ['x'.repeat(4000), 'y'.repeat(96)];
    expect(headersOf(...texts)).toEqual({ warning: texts.map((text) => `299 - "${text}"`) });
  });

  it('are cut if they would be too long', () => {
    const texts = ['x'.repeat(4000), `${'😀'.repeat(255)}ab`, 'z'];
    const [first, second, third] = headersOf(...texts).warning ?? [];
    expect(first).toBe(`299 - "${'x'.repeat(256)}"`);
    expect(Buffer.from(second ?? '', 'latin1').toString()).toBe(`299 - "${'😀'.repeat(255)}a"`);
    expect(third).toBe('299 - "z"');
  });

  it('are left out if even that is too long', () => {
    const texts = Array.from({ length: 100 }, (_, i) => `${i % 10} ${'x'.repeat(98)}${i}`);
    expect(headersOf(...texts).warning).toHaveLength(41);
    const long = Array.from({ length: 100 }, (_, i) => `${i} ${'x'.repeat(1000)}`);
    expect(headersOf(...long).warning).toHaveLength(16);
  });
});
