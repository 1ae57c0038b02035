/** Tells of each request once it is answered, for logs: whose it was, what it asked for, and nothing that is secret. */
import type { AccessAttributes } from '../contract/index.js';
import { type ApiRequest, type ApiResponse, type Handle, isStreamed } from '../request/api-request.js';

/** A request and its answer. */
export interface RequestRecord {
  readonly auditId: string;
  readonly method: string;
  /** As authorization has it; empty where the request was refused before. */
  readonly verb: string;
  /** The path with the options of the API; other parts of the query are left out. */
  readonly target: string;
  readonly code: number;
  /** Until there was an answer; of a stream, until it was over. */
  readonly seconds: number;
  /** The name of the user, impersonated or not; empty where nobody was recognized. */
  readonly user: string;
}

/** Told of each request. */
export type OnRequest = (record: RequestRecord) => void;

/** Knows what requests were authorized as, for as long as they are answered. */
export type AskedFor = WeakMap<ApiRequest, AccessAttributes>;

/** The handler, with its requests told of. It is the outermost: answers have their ids. */
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

/** Options of the API, none of which is secret. All others may be: clients put tokens into queries. */
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

/** The path as it was sent, and those options; `…` stands for what is left out. */
export function shownTarget({ path, search }: Pick<ApiRequest, 'path' | 'search'>): string {
  if (search === '') return printable(path);
  const parts = search.split('&').filter((part) => part !== '');
  const shown = parts.filter((part) => shownOptions.has(part.split('=', 1)[0] ?? ''));
  return printable(`${path}?${[...shown, ...(shown.length < parts.length ? ['…'] : [])].join('&')}`);
}

/** Control characters would make lines that nobody has written. */
const printable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  text.replaceAll(/[\u0000-\u001f\u007f]/g, (character) => encodeURIComponent(character));
