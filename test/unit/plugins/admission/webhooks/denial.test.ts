/** The failures of requests that webhooks deny. */
import { expect, it } from 'vitest';
import { denial } from '../../../../../plugins/admission/webhooks/denial.js';
import { toStatus } from '../../../../../runtime/objects/status.js';

const by = 'admission webhook "a.example.com" denied the request';

it.each([
  [undefined, 400, `${by} without explanation`],
  [{ code: 200, status: 'Success', message: 'fine' }, 400, `${by}: fine`],
  [{ code: 409, reason: 'Conflict' }, 409, `${by}: Conflict`],
  [{ code: 1000, message: 'far off' }, 400, `${by}: far off`],
])('%j', (status, code, message) => {
  expect(toStatus(denial('a.example.com', status))).toMatchObject({ code, body: { code, message } });
});
