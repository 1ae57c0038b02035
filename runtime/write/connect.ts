/** The verb `connect`: any method on a path that opens a connection or returns text. */
import type {
  ApiObject,
  Failure,
  ForwardAnswer,
  JsonValue,
  QueryParameter,
  Result,
  TextAnswer,
  VirtualContext,
} from '../contract/index.js';
import { getOwn, isArray } from '../objects/guards.js';
import { formatGroupVersion } from '../objects/names/names.js';
import type { ApiResponse } from '../request/api-request.js';
import { answerFailure, warningHeaders } from '../request/responses.js';
import type { ForwardPath, VerbRequest } from '../request/verb-request.js';
import { admit, validateAdmission } from './stages/admission.js';
import { ask, readingWrite } from './virtual.js';
import type { Write } from './write.js';

/** Asks admission about the options of a connection, and then the handler of the subresource. */
export async function connect(verb: VerbRequest): Promise<ApiResponse> {
  const write = readingWrite(verb);
  const options = connectionOptions(verb);
  if (!options.ok) return answerFailure(verb, options.failure);
  const refused = options.value && (await admitConnection(write, options.value));
  if (refused) return answerFailure(verb, refused);
  if (verb.request.explain) return { code: 200, contentType: 'text/plain', body: Buffer.from('not opened') };
  const answer: Result<TextAnswer | ForwardAnswer> = await ask(verb, write, 'connect', (handler, context) =>
    handler.connect?.(options.value ? withOptions(verb, context, options.value) : context),
  );
  if (!answer.ok) return answerFailure(verb, answer.failure);
  if ('forward' in answer.value) return forward(verb, answer.value, options.value);
  const { code, text } = answer.value;
  return { code, contentType: 'text/plain', headers: warningHeaders(verb), body: Buffer.from(text) };
}

/** Passes a request on to a program. A plugin may have changed the path. */
async function forward(
  verb: VerbRequest,
  { forward: target }: ForwardAnswer,
  options: ApiObject | undefined,
): Promise<ApiResponse> {
  const { request, services } = verb;
  const { before, rest } = splitPath(verb);
  const wanted = options && optionText(options, 'path');
  const isSame = wanted === undefined || wanted === decoded(rest);
  const path = { before: `${request.basePath ?? ''}${before}`, rest: isSame ? rest : encoded(wanted) };
  const answer = await services.forwarder.forward(request, target, path);
  return answer.ok ? answer.value : answerFailure(verb, answer.failure);
}

/** Returns a path in its encoded form, with a slash; stays empty if it is empty. */
function encoded(path: string): string {
  const sent = encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23');
  return sent === '' || sent.startsWith('/') ? sent : `/${sent}`;
}

/** Gives a handler the options as admission has left them. */
function withOptions({ subresource }: VerbRequest, context: VirtualContext, options: ApiObject): VirtualContext {
  const known = new Set((subresource?.query ?? []).map(({ name }) => name));
  const query = (name: string): string => (known.has(name) ? optionText(options, name) : context.query(name));
  return { ...context, query };
}

/** Asks admission whether the client may open a connection. Plugins may change its options in place. */
async function admitConnection(write: Write, options: ApiObject): Promise<Failure | undefined> {
  const objects = { object: options };
  return (await admit(write, 'CONNECT', objects)) ?? validateAdmission(write, 'CONNECT', objects);
}

/** Makes the options object of a connection from its query; `undefined` if the subresource has no kind of options. */
function connectionOptions(verb: VerbRequest): Result<ApiObject | undefined> {
  const { kind, query = [], proxy } = verb.subresource ?? {};
  if (!kind) return { ok: true, value: undefined };
  const apiVersion = formatGroupVersion(kind.group, kind.version);
  const options: ApiObject = { kind: kind.kind, apiVersion, metadata: {} };
  for (const parameter of query) {
    const value = readOption(verb, parameter);
    if (!value.ok) return value;
    if (value.value !== undefined) options[parameter.name] = value.value;
  }
  if (proxy) {
    const path = decoded(splitPath(verb).rest);
    if (path !== '') options.path = path;
  }
  return { ok: true, value: options };
}

/** Reads an option. Returns `undefined` if it is absent, empty or false. */
function readOption({ query }: VerbRequest, { name, type, repeated }: QueryParameter): Result<JsonValue | undefined> {
  if (repeated) {
    if (type !== 'integer') return { ok: true, value: query.has(name) ? [...query.all(name)] : undefined };
    const texts = query.all(name).flatMap((text) => text.split(','));
    return { ok: true, value: texts.length === 0 ? undefined : texts.map(Number).filter(Number.isInteger) };
  }
  if (type === 'boolean') return { ok: true, value: query.boolean(name) || undefined };
  return type === 'integer' ? query.integer(name) : { ok: true, value: query.text(name) || undefined };
}

/** Splits the encoded path after the subresource. An escaped slash counts as a slash, as in routing. */
function splitPath({ request: { path }, resource, namespace }: VerbRequest): ForwardPath {
  const { group } = resource.module;
  let left = (group === '' ? 3 : 4) + (namespace === '' ? 0 : 2) + 2;
  for (const { 0: found, index } of path.matchAll(slash)) {
    if (left-- === 0) return { before: path.slice(0, index), rest: `/${path.slice(index + found.length)}` };
  }
  return { before: path, rest: '' };
}

const slash = /\/|%2f/gi;

/** Decodes a part of a path. The whole path is known to be well-formed. */
const decoded = (part: string): string => (part.includes('%') ? decodeURIComponent(part) : part);

/** Returns a parameter as admission has left it, as text; the first one if there are several. */
function optionText(options: ApiObject, name: string): string {
  const value = getOwn(options, name);
  const first = isArray(value) ? value[0] : value;
  return first === undefined || first === null || typeof first === 'object' ? '' : String(first);
}
