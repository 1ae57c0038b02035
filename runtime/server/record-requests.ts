/** Reports each answered request for logs: the user and the request, without anything secret. */
import type { AccessAttributes } from '../contract/index.js';
import { type ApiRequest, type ApiResponse, type Handle, isStreamed } from '../request/api-request.js';

/** A request and its answer. */
export interface RequestRecord {
  readonly auditId: string;
  readonly method: string;
  /** The verb that was authorized; empty if the request was refused before. */
  readonly verb: string;
  /** The path with the options of the API; other parts of the query are left out. */
  readonly target: string;
  readonly code: number;
  /** Until the answer, or until the end of a stream. */
  readonly seconds: number;
  /** The name of the user, impersonated or not; empty if the user is not known. */
  readonly user: string;
}

export type OnRequest = (record: RequestRecord) => void;

/** The attributes that requests were authorized with, while they are answered. */
export type AskedFor = WeakMap<ApiRequest, AccessAttributes>;

/** Wraps a handler, and reports its requests. It is the outermost handler, so answers have their ids. */
export function recordRequests(handle: Handle, onRequest: OnRequest, askedFor: AskedFor): Handle {
  const tell = (request: ApiRequest, answer: ApiResponse, began: number): void => {
    const asked = askedFor.get(request);
    onRequest({
      auditId: request.tags?.auditId ?? '',
      method: request.method,
      verb: asked?.verb ?? '',
      target: shownTarget(request),
      code: answer.code,
      seconds: (performance.now() - began) / 1000,
      user: asked?.user.name ?? '',
    });
  };
  const finish = (request: ApiRequest, answer: ApiResponse, began: number): ApiResponse => {
    const { body } = answer;
    if (!isStreamed(body)) {
      tell(request, answer, began);
      return answer;
    }
    const stream: typeof body.stream = (sink) => {
      const stop = body.stream(sink);
      let open = true;
      return () => {
        stop();
        if (open) tell(request, answer, began);
        open = false;
      };
    };
    return { ...answer, body: { ...body, stream } };
  };
  return (request) => {
    const began = performance.now();
    const answer = handle(request);
    return answer instanceof Promise
      ? answer.then((known) => finish(request, known, began))
      : finish(request, answer, began);
  };
}

/** Options of the API that contain no secrets. Other parameters may: clients put tokens into queries. */
const shownOptions: ReadonlySet<string> = new Set([
  'allowWatchBookmarks',
  'dryRun',
  'fieldManager',
  'fieldSelector',
  'fieldValidation',
  'force',
  'gracePeriodSeconds',
  'labelSelector',
  'limit',
  'orphanDependents',
  'pretty',
  'propagationPolicy',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'timeout',
  'timeoutSeconds',
  'verbose',
  'watch',
]);

/** Returns the path as sent, with these options; `…` replaces the rest. */
export function shownTarget({ path, search }: Pick<ApiRequest, 'path' | 'search'>): string {
  if (search === '') return printable(path);
  const parts = search.split('&').filter((part) => part !== '');
  const shown = parts.filter((part) => shownOptions.has(part.split('=', 1)[0] ?? ''));
  return printable(`${path}?${[...shown, ...(shown.length < parts.length ? ['…'] : [])].join('&')}`);
}

/** Escapes control characters, which could fake lines of a log. */
const printable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  text.replaceAll(/[\u0000-\u001f\u007f]/g, (character) => encodeURIComponent(character));
