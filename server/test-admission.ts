/** Sends objects to a running server as dry runs, and reports the answers of admission. */
import { type DiscoveredResource, discoverResources, fetchTransport, type Transport } from '../client/index.js';
import type { AdmissionStep, JsonObject, JsonValue } from '../runtime/contract/index.js';
import { isArray, isObject, objectAt, stringAt } from '../runtime/objects/guards.js';
import { connectTo, type ServerChoice } from './access/connect.js';
import { jsonObjectIn } from './text/limits.js';
import { readDocuments } from './webhooks/convert-file.js';

export type TestedOperation = 'create' | 'update' | 'delete' | 'connect';

/** The requests to try. */
export interface TestedRequests {
  /** The file with the objects: its name, for messages, and its content. */
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly operation: TestedOperation;
  /** As in `status` or `exec`. */
  readonly subresource?: string | undefined;
  /** The namespace of objects without one; by default the namespace of the context. */
  readonly namespace?: string | undefined;
  /** The user that makes the requests, if it is not the caller. */
  readonly as?: string | undefined;
  readonly groups: readonly string[];
  /** Whether lines include the reviews that the server sent to webhooks. */
  readonly showsReviews: boolean;
}

export interface TestedAdmission {
  readonly lines: readonly string[];
  readonly explanations: readonly Explanation[];
  /** Whether all requests would be admitted. */
  readonly allowed: boolean;
}

/**
 * Tries the requests. Rejects if the file cannot be read, the server does not serve a kind, or it does not explain
 * admission.
 */
export async function testAdmission(server: ServerChoice, asked: TestedRequests): Promise<TestedAdmission> {
  const read = readDocuments(asked.file, asked.bytes);
  if (!read.ok) throw new Error(read.problems.join('\n'));
  if (read.documents.length === 0) throw new Error(`${asked.file} has no objects`);
  const { client, namespace } = connectTo(server);
  const resources = await discoverResources(client);
  const transport =
    'kubeconfig' in client && client.kubeconfig
      ? fetchTransport(client.kubeconfig)
      : fetchTransport({ baseUrl: client.baseUrl ?? '' });
  const explanations: Explanation[] = [];
  for (const document of read.documents) {
    const request = requestFor(document, resources, { ...asked, namespace: asked.namespace ?? namespace });
    explanations.push(await explain(transport, request, asked));
  }
  return {
    lines: explanations.flatMap((one, i) => [...(i === 0 ? [] : ['']), ...explanationLines(one, asked.showsReviews)]),
    explanations,
    allowed: explanations.every(({ code }) => code < 400),
  };
}

interface PlannedRequest {
  readonly title: string;
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body: string | undefined;
}

function requestFor(
  document: JsonValue,
  resources: readonly DiscoveredResource[],
  { file, operation, subresource = '', namespace = '' }: TestedRequests,
): PlannedRequest {
  if (!isObject(document)) throw new Error(`${file} must only contain objects`);
  const [apiVersion, kind] = [stringAt(document, 'apiVersion'), stringAt(document, 'kind')];
  const resource = resources.find(
    (one) => one.kind === kind && (one.group === '' ? one.version : `${one.group}/${one.version}`) === apiVersion,
  );
  if (!resource) throw new Error(`the server has no kind ${JSON.stringify(kind)} in ${apiVersion || 'no version'}`);
  const metadata = objectAt(document, 'metadata');
  const name = stringAt(metadata, 'name');
  const within = resource.scope === 'Namespaced' ? stringAt(metadata, 'namespace') || namespace : '';
  const isNew = operation === 'create' && subresource === '';
  if (name === '' && !isNew) throw new Error(`an object to ${operation} needs a name`);
  if (operation === 'connect' && subresource === '') throw new Error('say with --subresource what to connect to');
  const root = resource.group === '' ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`;
  const collection = `${root}${within === '' ? '' : `/namespaces/${encodeURIComponent(within)}`}/${resource.plural}`;
  const below = subresource === '' ? '' : `/${subresource}`;
  return {
    title: `${operation} ${resource.plural}${below} ${name || stringAt(metadata, 'generateName')}${
      within === '' ? '' : ` in namespace ${within}`
    }`,
    method: operation === 'update' ? 'PUT' : operation === 'delete' ? 'DELETE' : 'POST',
    path: isNew ? collection : `${collection}/${encodeURIComponent(name)}${below}`,
    body: operation === 'create' || operation === 'update' ? JSON.stringify(document) : undefined,
  };
}

async function explain(
  transport: Transport,
  { title, method, path, body }: PlannedRequest,
  { as, groups }: TestedRequests,
): Promise<Explanation> {
  const headers: Record<string, string> = {
    accept: 'application/json',
    // A client can set a request header once only, so all groups are in this one.
    'kindforge-explain-admission': JSON.stringify({ groups }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(as === undefined ? {} : { 'impersonate-user': as }),
  };
  const response = await transport.send({
    method,
    path: `${path}?dryRun=All`,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const read = jsonObjectIn(text);
  if (response.status !== 200 || !Array.isArray(read?.steps)) {
    const said = stringAt(read, 'message') || `it answers with ${response.status}`;
    throw new Error(`the server does not explain admission: ${said}`);
  }
  const { code, answer } = read;
  return { request: title, code: Number(code), answer: answer ?? null, steps: read.steps.flatMap(stepOf) };
}

const outcomes = ['admitted', 'changed', 'denied', 'unanswered', 'passed over', 'not asked'] as const;
const kinds = ['plugin', 'webhook', 'policy'] as const;

/** Reads a step of the server's answer. Leaves out steps that another release prints differently. */
function stepOf(value: JsonValue): readonly AdmissionStep[] {
  if (!isObject(value)) return [];
  const outcome = outcomes.find((one) => one === value.outcome);
  const kind = kinds.find((one) => one === value.kind);
  if (!outcome || !kind) return [];
  const { milliseconds, patch, warnings } = value;
  const [of, message, request] = [stringAt(value, 'of'), stringAt(value, 'message'), objectAt(value, 'request')];
  return [
    {
      kind,
      name: stringAt(value, 'name'),
      step: value.step === 'admit' ? 'admit' : 'validate',
      outcome,
      ...(of === '' ? {} : { of }),
      ...(message === '' ? {} : { message }),
      ...(typeof milliseconds === 'number' ? { milliseconds } : {}),
      ...(request ? { request } : {}),
      ...(patch === undefined ? {} : { patch }),
      ...(Array.isArray(warnings) ? { warnings: warnings.map(String) } : {}),
    },
  ];
}

/** Prints one line for the request, one or more for each step, and one for the answer. */
function explanationLines({ request, code, answer, steps }: Explanation, showsReviews: boolean): readonly string[] {
  const refusal = isObject(answer) && answer.kind === 'Status' ? stringAt(answer, 'message') : '';
  return [
    request,
    ...steps.flatMap((step) => stepLines(step, showsReviews).map((line) => `  ${line}`)),
    code < 400 ? `let in: ${code}` : `refused: ${code}${refusal === '' ? '' : ` ${refusal}`}`,
  ];
}

const verbs = { admit: 'mutating', validate: 'validating' } as const;

function stepLines(step: AdmissionStep, showsReviews: boolean): readonly string[] {
  const { kind, name, of, outcome, message, milliseconds, patch, warnings = [], request } = step;
  const what = kind === 'policy' ? kind : `${verbs[step.step]} ${kind}`;
  const who = `${what} ${name}${of === undefined ? '' : ` (${of})`}`;
  const time = milliseconds === undefined ? '' : `, ${milliseconds.toFixed(1)} ms`;
  return [
    `${who}: ${outcome}${time}${message === undefined ? '' : `: ${message}`}`,
    ...(request ? [`  sees ${seen(request)}`] : []),
    ...operationsOf(patch).map((line) => `  ${line}`),
    ...warnings.map((warning) => `  warns: ${warning}`),
    ...(request && showsReviews ? JSON.stringify(request, undefined, 2).split('\n') : []),
  ];
}

/** Prints a request as in `CREATE configmaps v1`. */
function seen(request: JsonObject): string {
  const shown = objectAt(request, 'resource');
  const asked = objectAt(request, 'requestResource');
  const version = versionOf(shown);
  const converted = version === versionOf(asked) ? '' : `, asked as ${versionOf(asked)}`;
  const subresource = stringAt(request, 'subResource');
  const below = subresource === '' ? '' : `/${subresource}`;
  return `${stringAt(request, 'operation')} ${stringAt(shown, 'resource')}${below} ${version}${converted}`;
}

const versionOf = (resource: JsonObject | undefined): string =>
  [stringAt(resource, 'group'), stringAt(resource, 'version')].filter((part) => part !== '').join('/');

function operationsOf(patch: JsonValue | undefined): readonly string[] {
  if (!isArray(patch)) return [];
  return patch.filter(isObject).map((one) => {
    const value = one.value === undefined ? stringAt(one, 'from') : JSON.stringify(one.value);
    return [stringAt(one, 'op'), stringAt(one, 'path'), value].filter((part) => part !== '').join(' ');
  });
}

interface Explanation {
  /** As in `create configmaps a in namespace default`. */
  readonly request: string;
  readonly code: number;
  readonly answer: JsonValue;
  readonly steps: readonly AdmissionStep[];
}
