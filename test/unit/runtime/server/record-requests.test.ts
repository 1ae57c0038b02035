/** Logs show the path of a request, and only those parts of its query that cannot be secret. */
import { expect, it } from 'vitest';
import { shownTarget } from '../../../../runtime/server/record-requests.js';

it.each([
  ['/api/v1/pods', '', '/api/v1/pods'],
  ['/api/v1/pods', 'watch=1&labelSelector=a%3Db', '/api/v1/pods?watch=1&labelSelector=a%3Db'],
  ['/api/v1/pods', 'limit=5&access_token=s3cr3t', '/api/v1/pods?limit=5&…'],
  ['/api/v1/pods', 'token=s3cr3t', '/api/v1/pods?…'],
  ['/api/v1/pods', 'continue=opaque', '/api/v1/pods?…'],
  ['/api/v1/pods', 'Limit=s3cr3t', '/api/v1/pods?…'],
  ['/x\ny', '', '/x%0Ay'],
])('%j with %j', (path, search, shown) => {
  expect(shownTarget({ path, search })).toBe(shown);
});
