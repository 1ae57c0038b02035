/** The creates among recorded exchanges: what was sent, and what a real server answered. */
import { readFileSync } from 'node:fs';
import { decodeJson } from '../../runtime/codec/json.js';
import type { FieldError, JsonObject, JsonValue, Schema } from '../../runtime/contract/index.js';
import { isObject } from '../../runtime/objects/guards.js';
import { shared } from './shared.js';

/** A create of an object. */
export interface Create {
  /** The scenario and the place in it. */
  readonly step: string;
  /** The resource, as in `configmaps`. */
  readonly plural: string;
  /** The query of the request. */
  readonly query: URLSearchParams;
  /** The object that was sent; `undefined` for a body that is no JSON object. */
  readonly object: JsonObject | undefined;
  readonly code: number;
  /** The parts of the answer that were recorded, by their paths. */
  readonly answer: JsonObject;
  readonly warnings: readonly string[];
}

interface Step {
  readonly ignoreBody?: boolean;
  readonly request?: {
    readonly method: string;
    readonly path: string;
    readonly headers?: { readonly [name: string]: string };
    readonly body?: JsonValue;
    readonly rawBody?: string;
  };
  readonly response?: { readonly status: number; readonly body?: JsonObject; readonly warnings?: readonly string[] };
}

/** A recorded scenario. */
export interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** The scenarios of an area. */
export function scenariosOf(area: string): readonly Scenario[] {
  return JSON.parse(readFileSync(shared('conformance', 'suites', `${area}.json`), 'utf8'));
}

/** The creates of a scenario with a body in JSON, of which the answer was recorded. */
export function createsIn({ name, steps }: Scenario): Create[] {
  return steps.flatMap(({ request, response, ignoreBody }, i): Create[] => {
    const body = response?.body;
    if (request?.method !== 'POST' || response === undefined || body === undefined || ignoreBody) return [];
    if (request.headers?.['content-type'] !== undefined) return [];
    const [path = '', query] = request.path.split('?');
    const plural = path.split('/').at(-1) ?? '';
    const { status: code, warnings = [] } = response;
    const step = `${name} (${i})`;
    return [{ step, plural, query: new URLSearchParams(query), object: bodyOf(request), code, answer: body, warnings }];
  });
}

function bodyOf({ body, rawBody }: { readonly body?: JsonValue; readonly rawBody?: string }): JsonObject | undefined {
  if (rawBody === undefined) return isObject(body) ? structuredClone(body) : undefined;
  const decoded = decodeJson(rawBody);
  return decoded.ok && isObject(decoded.value) ? decoded.value : undefined;
}

/** A recorded part of an answer, or a part of a part; `undefined` where it was not recorded. */
export function partOf(answer: JsonValue | undefined, path: string): JsonValue | undefined {
  if (Array.isArray(answer)) return answer[Number(path)];
  if (!isObject(answer)) return undefined;
  if (Object.hasOwn(answer, path)) return answer[path];
  const [head = '', ...rest] = path.split('.');
  return rest.length > 0 ? partOf(answer[head], rest.join('.')) : undefined;
}

/** The causes of a refusal, each as one line; `undefined` where the answer names none. */
export function causesOf(answer: JsonObject): string[] | undefined {
  const causes = partOf(answer, 'details.causes');
  if (!Array.isArray(causes)) return undefined;
  return causes.map((cause) => (isObject(cause) ? `${cause.field}: ${cause.message} (${cause.reason})` : ''));
}

/** An error as `causesOf` writes it. */
export const lineOf = ({ field, message, reason }: FieldError): string => `${field}: ${message} (${reason})`;

/** A value as the recordings hold it, whose numbers are those of JavaScript. */
export function asRecorded(value: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? Number(item) : item)));
}

/** The schema of the definition that a scenario begins with. */
export function schemaOf({ steps }: Scenario): Schema | undefined {
  for (const { request } of steps) {
    const { body } = request ?? {};
    if (isDefinition(body)) return body.spec.versions[0]?.schema.openAPIV3Schema;
  }
  return undefined;
}

interface Definition {
  readonly spec: { readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: Schema } }[] };
}

/** Recorded definitions that are used here have a schema in each version. */
const isDefinition = (value: unknown): value is Definition =>
  isObject(value) && value.kind === 'CustomResourceDefinition' && isObject(value.spec);
