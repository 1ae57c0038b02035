/** Codes of answers of webhooks become sentences. */
import { expect, it } from 'vitest';
import { readReply } from '../../../../server/webhooks/reply.js';

const reply = (code: number, text: string, contentType = 'text/plain') =>
  readReply({ ok: true, code, contentType, text });

it.each([
  [500, 'it broke', 'an error on the server ("it broke") has prevented the request from succeeding'],
  [502, '', 'an error on the server ("unknown") has prevented the request from succeeding'],
  [403, 'go away', 'go away'],
  [404, 'x', 'the server could not find the requested resource'],
  [302, '', 'the server rejected our request for an unknown reason'],
  [200, '', '0-length response with status code: 200 and content type: text/plain'],
  [500, '{"apiVersion":"v1","kind":"Status","status":"Failure","message":"mine"}', 'mine'],
])('%i with %j', (code, text, problem) => {
  expect(reply(code, text)).toEqual({ ok: false, problem, code });
});

it('good answers are read whatever their type', () => {
  expect(reply(201, '{}')).toEqual({ ok: true, text: '{}' });
});

it('what is no text is not repeated', () => {
  expect(reply(500, '{}', 'application/json')).toMatchObject({ problem: expect.stringContaining('"unknown"') });
});
