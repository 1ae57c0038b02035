/** Writes every object of a server again, through its API: those that were stored in an earlier version really are. */
import {
  type ApiObjectLike,
  type ClientOptions,
  createResourceClient,
  type DiscoveredResource,
  discoverResources,
  isConflict,
  isNotFound,
} from '../../client/index.js';

export interface Rewritten {
  /** Objects that there are. */
  readonly seen: number;
  /** Those of them that came to have another revision. */
  readonly written: number;
  /** One line for each object that could not be written. */
  readonly problems: readonly string[];
}

/** Requests under way at one time. */
const AT_ONCE = 8;

/** How often a write that lost against another one is tried again before it counts as done: the other wrote the object. */
const ATTEMPTS = 3;

/**
 * Asks for a change of nothing of each object. A server makes no write of that, unless the object was stored in another
 * version than the one that stores now. The change builds on the object as it is when it arrives, so nothing that others
 * write in the meantime is lost; what is deleted in the meantime is passed over.
 */
export async function rewriteAll(
  connection: ClientOptions,
  tell: (done: number, resource: string) => void,
): Promise<Rewritten> {
  const sum = { seen: 0, written: 0, problems: [] as string[] };
  for (const resource of await discoverResources(connection)) {
    if (!['list', 'patch'].every((verb) => resource.verbs.includes(verb))) continue;
    const client = createResourceClient(resource, connection);
    for await (const { items } of client.pages()) {
      await eachAtOnce(items, async (object) => {
        sum.seen++;
        const outcome = await rewrite(client, object);
        if (outcome === 'written') sum.written++;
        else if (outcome !== 'kept') sum.problems.push(`${nameOf(resource, object)}: ${outcome.problem}`);
        tell(sum.seen, resource.plural);
      });
    }
  }
  return sum;
}

type Client = ReturnType<typeof createResourceClient<ApiObjectLike, unknown, string>>;

async function rewrite(
  client: Client,
  { metadata }: ApiObjectLike,
): Promise<'written' | 'kept' | { readonly problem: string }> {
  const { name = '', namespace = '', resourceVersion } = metadata;
  for (let attempt = 1; ; attempt++) {
    try {
      const after = await client.in(namespace).patch(name, {});
      return after.metadata.resourceVersion === resourceVersion ? 'kept' : 'written';
    } catch (error) {
      if (isNotFound(error)) return 'kept';
      if (isConflict(error) && attempt < ATTEMPTS) continue;
      return { problem: error instanceof Error ? error.message : String(error) };
    }
  }
}

/** Works through items, several at one time. */
async function eachAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items];
  const worker = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

const nameOf = ({ plural, group }: DiscoveredResource, { metadata }: ApiObjectLike): string =>
  [group === '' ? plural : `${plural}.${group}`, metadata.namespace, metadata.name].filter(Boolean).join('/');
