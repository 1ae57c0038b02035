/** Tags of documents, and clients that already have the document. */
import { expect, it } from 'vitest';
import { hashOf, tagged } from '../../../../runtime/discovery/documents.js';
import type { ApiRequest, ApiResponse } from '../../../../runtime/request/api-request.js';
import { requestOf } from '../../../support/api-requests.js';

const body = Buffer.from('{}');
const hash = hashOf(body);
const answer: ApiResponse = { code: 200, contentType: 'application/json', headers: { vary: 'Accept' }, body };

const request = (tag?: string): ApiRequest =>
  requestOf({ path: '/apis', headers: tag === undefined ? {} : { 'if-none-match': tag } });

it('is a hash in upper case', () => {
  expect(hash).toMatch(/^27C74670ADB75075[0-9A-F]{112}$/);
});

it.each([
  ['no tag', undefined],
  ['another', '"ABC"'],
  ['one without quotes', hash],
])('sends the document for %s', (_what, tag) => {
  expect(tagged(request(tag), answer, hash)).toEqual({
    ...answer,
    headers: { vary: 'Accept', etag: `"${hash}"` },
  });
});

it('sends only headers for its tag', () => {
  const { code, headers, body: sent } = tagged(request(`"${hash}"`), answer, hash);
  expect([code, headers, sent]).toEqual([304, { vary: 'Accept', etag: `"${hash}"` }, Buffer.alloc(0)]);
});
