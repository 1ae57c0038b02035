/** Explains the admission of dry runs: which plugins, webhooks and policies had a say, and what they said. */

import { impersonates, impersonationRights } from '../access/impersonation.js';
import { attributesOf } from '../access/request-attributes.js';
import { decodeEncoded, encodeJson } from '../codec/json.js';
import type { AccessAttributes, AdmissionStep, JsonObject, JsonValue, UserInfo } from '../contract/index.js';
import type { OwnPath } from '../discovery/path-documents.js';
import { badRequest } from '../objects/failures.js';
import { isArray, isObject, isStringArray } from '../objects/guards.js';
import { readPath } from '../registry/route.js';
import {
  type ApiRequest,
  type ApiResponse,
  type Handle,
  isStreamed,
  type RequestHeaders,
  withHeaders,
} from '../request/api-request.js';
import { queryOf } from '../request/query.js';
import { answerFailure } from '../request/responses.js';
import { explainRequest } from '../request/verb-request.js';

/** The header of a dry run whose answer is to be the explanation. */
const header = 'kindforge-explain-admission';

/** Users who may get this path may have admission explained: explanations show webhooks and stored objects. */
const path = '/debug/admission';

const help = `A write with ?dryRun=All and the header ${header}: true is answered with what admission has made of it.\n`;

export const explainPath: OwnPath = {
  path,
  isUnlisted: true,
  answer: () => ({ code: 200, contentType: 'text/plain', body: Buffer.from(help) }),
};

/** Passes on all requests that do not ask for an explanation. */
export function withExplanations(handle: Handle): Handle {
  return (request) => (request.headers[header] === undefined ? handle(request) : explained(handle, request));
}

async function explained(handle: Handle, request: ApiRequest): Promise<ApiResponse> {
  if (queryOf(request.search).text('dryRun') !== 'All') {
    return answerFailure(undefined, badRequest(`${header} is for requests with dryRun=All`));
  }
  // The right is that of the caller, also where the request is made as somebody else.
  const allowed = await handle(rightToExplain(request));
  if (allowed.code !== 200) return allowed;
  const steps: AdmissionStep[] = [];
  const { [header]: asked, 'accept-encoding': _packed, ...headers } = request.headers;
  const own = withHeaders(request, { ...headers, ...groupsOf(asked), accept: 'application/json' });
  explainRequest(own, (step) => void steps.push(step));
  const { code, body, headers: sent = {} } = await handle(own);
  if (isStreamed(body)) throw new Error('a dry run is answered with a stream');
  const text = Buffer.concat([body].flat()).toString();
  const warnings = [sent.Warning ?? sent.warning ?? []].flat();
  const explanation = { code, answer: parsed(text), warnings, steps: steps.map(asJson) };
  return { code: 200, contentType: 'application/json', body: Buffer.from(encodeJson(explanation)) };
}

function rightToExplain(request: ApiRequest): ApiRequest {
  const kept = Object.entries(request.headers).filter(([name]) => !/^(impersonate-|content-)/.test(name));
  const { [header]: _, ...headers } = Object.fromEntries(kept);
  return { ...withHeaders(request, headers), method: 'GET', path, search: '', passing: undefined };
}

/** Clients that cannot send a header twice name the groups that the request is made with here. */
function groupsOf(asked: string | readonly string[] | undefined): RequestHeaders {
  const options = typeof asked === 'string' ? parsed(asked) : undefined;
  const groups = isObject(options) ? options.groups : undefined;
  return isArray(groups) && isStringArray(groups) && groups.length > 0 ? { 'impersonate-group': [...groups] } : {};
}

const asJson = ({ warnings, ...step }: AdmissionStep): JsonObject => ({ ...step, warnings: warnings && [...warnings] });

function parsed(text: string): JsonValue {
  return decodeEncoded(Buffer.from(text)) ?? text;
}

/** A request on its way to a server. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  /** All values of each header, by names in lower case. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>;
}

/** The user who makes it. */
const maker: UserInfo = { name: '', uid: '', groups: [], extra: {} };

/**
 * The rights that its maker needs. Of a request that acts as somebody else these are the rights to do that; what it asks
 * for besides needs rights of the other. `authenticationGroup` is the group of the parts of users.
 */
export function askedBy(
  { method, url, headers }: SeenRequest,
  authenticationGroup: string,
): readonly AccessAttributes[] {
  const [path = '', search = ''] = url.split(/\?(.*)/s, 2);
  const valuesOf = (name: string): readonly string[] => headers[name] ?? [];
  const readBody = (): never => {
    throw new Error('nobody reads the body of a request that is only seen');
  };
  const request: ApiRequest = { method, path, search, headers, valuesOf, readBody };
  if (impersonates(request)) return impersonationRights(request, maker, authenticationGroup);
  return [attributesOf(request, readPath(path), maker)];
}
