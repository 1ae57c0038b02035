/** The text of an answer over HTTP, or what its code says. */
import type { WebhookAnswer } from '../../runtime/contract/index.js';
import { stringAt } from '../../runtime/objects/guards.js';
import { jsonObjectIn } from '../text/json-object.js';
import type { PoolAnswer } from './pool.js';

/** Characters of an answer that messages repeat. */
const mostRepeated = 2048;

const tellings: ReadonlyMap<number, string> = new Map([
  [401, 'the server has asked for the client to provide credentials'],
  [404, 'the server could not find the requested resource'],
  [405, 'the server does not allow this method on the requested resource'],
  [409, 'the server reported a conflict'],
  [422, 'the server rejected our request due to an error in our request'],
  [429, 'the server has received too many requests and has asked us to try again later'],
  [503, 'the server is currently unable to handle the request'],
  [504, 'the server was unable to return a response in the time allotted, but may still be processing the request'],
]);

/** A Status that the webhook sends with a bad code is told in its own words. */
export function readReply({ code, contentType, text }: Extract<PoolAnswer, { ok: true }>): WebhookAnswer {
  const refused = (problem: string): WebhookAnswer => ({ ok: false, problem, code });
  if (code >= 200 && code <= 206) {
    if (text !== '') return { ok: true, text };
    return refused(`0-length response with status code: ${code} and content type: ${contentType}`);
  }
  const own = statusMessage(text);
  if (own !== undefined) return refused(own);
  const words = contentType.startsWith('text/') ? text.trim().slice(0, mostRepeated) : '';
  if (code === 403) return refused(words || 'unknown');
  const telling = tellings.get(code);
  if (telling !== undefined) return refused(telling);
  if (code < 500) return refused('the server rejected our request for an unknown reason');
  const repeated = JSON.stringify(words || 'unknown');
  return refused(`an error on the server (${repeated}) has prevented the request from succeeding`);
}

function statusMessage(text: string): string | undefined {
  const status = jsonObjectIn(text);
  if (status?.kind !== 'Status' || status.apiVersion !== 'v1' || status.status === 'Success') return undefined;
  return stringAt(status, 'message') || 'unknown';
}
