/** Waits until objects are as a test expects them, by a watch. */
import {
  type ApiObjectLike,
  type ClientOptions,
  createResourceClient,
  follow,
  type ResourceDescriptor,
  systemClock,
} from '../client/index.js';
import { fieldTerm } from '../client/resource/field-terms.js';

/** The objects to wait for: of a resource, in one namespace or in all. */
export interface UntilSelector<T extends ApiObjectLike = ApiObjectLike> {
  /**
   * A descriptor of generated code, or a name as in `configmaps`, `widgets.shop.example.com` or
   * `shop.example.com/v1/widgets`.
   */
  readonly resource: string | ResourceDescriptor<T>;
  readonly namespace?: string;
  /** As in `app=web,tier!=cache`. */
  readonly labelSelector?: string;
  /** As in `metadata.name=web`. */
  readonly fieldSelector?: string;
}

/** One object to wait for. */
export interface UntilObject<T extends ApiObjectLike = ApiObjectLike> extends UntilSelector<T> {
  readonly name: string;
}

export interface UntilOptions {
  /** How long to wait, milliseconds of the machine's clock. Default: 5000. */
  readonly timeoutMs?: number;
  /** Ends the wait: it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** The wait took too long. The message shows the last state of the objects. */
export class UntilTimeoutError extends Error {
  override readonly name = 'UntilTimeoutError';

  constructor(
    what: string,
    readonly timeoutMs: number,
    /** The last state of the objects. For a single object, it has this object or nothing. */
    readonly lastSeen: readonly ApiObjectLike[],
    /** The error that ended the events, if any. */
    cause?: unknown,
  ) {
    const because = cause === undefined ? '' : `; ${cause instanceof Error ? cause.message : String(cause)}`;
    super(
      `${what}: not met after ${timeoutMs} ms; last seen: ${shown(lastSeen)}${because}`,
      cause === undefined ? {} : { cause },
    );
  }
}

const shownBytes = 4000;

function shown(objects: readonly ApiObjectLike[]): string {
  if (objects.length === 0) return 'nothing';
  const bare = objects.map(({ metadata: { managedFields: _managedFields, ...metadata }, ...rest }) => ({
    ...rest,
    metadata,
  }));
  const text = JSON.stringify(bare.length === 1 ? bare[0] : bare, undefined, 2);
  return text.length > shownBytes ? `${text.slice(0, shownBytes)} … (${objects.length} objects)` : text;
}

/**
 * Resolves to the objects once they meet the condition. Rejects with an `UntilTimeoutError`, or with what the condition
 * throws.
 */
export async function untilObjects(
  client: ClientOptions,
  resource: ResourceDescriptor,
  { namespace, labelSelector, fieldSelector, name }: UntilSelector & { readonly name?: string },
  condition: (objects: readonly ApiObjectLike[]) => boolean,
  { timeoutMs = 5000, signal }: UntilOptions,
): Promise<readonly ApiObjectLike[]> {
  const fields = [fieldSelector, name === undefined ? undefined : fieldTerm('metadata.name', name)]
    .filter(Boolean)
    .join(',');
  const all = createResourceClient(untyped(resource), client);
  const place = namespace === undefined ? all : all.in(namespace);
  const late = new AbortController();
  const cancel = systemClock.after(timeoutMs, () => late.abort());
  const either = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
  const state = new Map<string, ApiObjectLike>();
  let isWhole = false;
  let failure: unknown;
  const onError = (error: unknown): void => {
    failure = error;
  };
  try {
    const selection = { ...(labelSelector ? { labelSelector } : {}), ...(fields ? { fieldSelector: fields } : {}) };
    for await (const { type } of follow(place, { ...selection, state, signal: either, onError })) {
      failure = undefined;
      isWhole ||= type === 'synced';
      if (!isWhole) continue;
      const objects = [...state.values()];
      if (condition(objects)) return objects;
    }
  } finally {
    cancel();
    late.abort();
  }
  if (signal?.aborted) throw signal.reason;
  const what = [resource.plural, name, namespace === undefined ? undefined : `in ${namespace}`]
    .filter(Boolean)
    .join(' ');
  throw new UntilTimeoutError(what, timeoutMs, [...state.values()], failure);
}

const untyped = ({ types: _types, ...resource }: ResourceDescriptor): ResourceDescriptor<ApiObjectLike> => resource;
