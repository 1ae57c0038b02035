/** The rights of the user, as far as the server reports them. The server decides again at each request. */
import type { DynamicApi, DynamicObject } from 'kindforge/client';

/** An action on objects of a kind, in the words of access reviews. */
export interface Action {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  /** Absent for kinds of the cluster, and for all namespaces. */
  readonly namespace?: string | undefined;
  readonly name?: string;
}

/** Asks the server once for each action, and keeps the answer. */
export class Rights {
  readonly #client: DynamicApi;
  readonly #known = new Map<string, Promise<boolean>>();

  constructor(client: DynamicApi) {
    this.#client = client;
  }

  /**
   * Resolves to whether the user may do it. Resolves to true if the server does not answer this: it still decides about
   * the request.
   */
  may(action: Action): Promise<boolean> {
    const key = JSON.stringify([
      action.verb,
      action.group,
      action.resource,
      action.subresource,
      action.namespace,
      action.name,
    ]);
    const known = this.#known.get(key);
    if (known) return known;
    const asked = this.#ask(action).catch(() => {
      this.#known.delete(key);
      return true;
    });
    this.#known.set(key, asked);
    return asked;
  }

  /** Forgets the answers after rights have changed. */
  forget(): void {
    this.#known.clear();
  }

  async #ask(action: Action): Promise<boolean> {
    const { kinds } = await this.#client.kinds();
    const review = kinds.find(({ plural }) => plural === 'selfsubjectaccessreviews');
    if (!review) return true;
    const answer = await this.#client.create({
      apiVersion: `${review.group}/${review.version}`,
      kind: review.kind,
      metadata: {},
      spec: { resourceAttributes: { ...action } },
    });
    return isAllowed(answer);
  }
}

function isAllowed({ status }: DynamicObject): boolean {
  return typeof status === 'object' && status !== null && 'allowed' in status && status.allowed === true;
}
