/** Follows APIServices, and lists the versions that other servers answer for. */
import type { ClientOptions } from '../../client/index.js';
import type { Entry, Follow, FollowedPart, JsonObject, Key, Store } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { objectAt } from '../../runtime/objects/guards.js';
import { placeOf } from '../../runtime/objects/lines.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { defineForwarder, type Forwarder, type RemoteApis } from '../../runtime/server/index.js';
import type { OnProblem } from '../option-error.js';
import {
  type ApiService,
  availableIn,
  defineStatusWriter,
  objectIn,
  readApiService,
  type WriteAvailable,
} from './api-service.js';
import { type AddressSources, type Finding, local } from './availability.js';
import type { ProxyCertificate } from './proxy-certificate.js';
import type { RemoteService } from './remote-service.js';

export interface AggregatorOptions {
  readonly follow: Follow;
  readonly store: Pick<Store, 'get'>;
  readonly naming: Naming;
  readonly certificate: Pick<ProxyCertificate, 'current'>;
  /** Returns the address to use for a Service, if the options set one. */
  readonly serviceAddress: AddressSources['given'];
  /** Whether requests go to an endpoint of a Service, and not to its cluster address. */
  readonly toEndpoints: boolean;
  /** Checks whether a header names users to this server; its name is in lower case. */
  readonly isHiddenHeader: (name: string) => boolean;
  readonly onProblem: OnProblem;
}

/** The size limit of the body of a request from the same process, bytes. All other bodies stream through. */
const maxBodyBytes = 3 * 1024 * 1024;

/** How long connecting to a service may take, TLS included, milliseconds. */
const connectMs = 5000;

/** The latest stored APIService. */
interface Followed {
  readonly spec: ApiService;
  readonly available: Finding;
  /** Absent if this server answers itself. */
  readonly remote: RemoteService | undefined;
}

export class Aggregator implements RemoteApis {
  versions: readonly RemoteService[] = [];
  readonly #options: AggregatorOptions;
  readonly #group: string;
  readonly #forwarder: Forwarder;
  /** By the name of the APIService, which is `<version>.<group>`. */
  #services = new Map<string, Followed>();
  /** The APIServices that are left from before the follower started again. */
  #before = new Map<string, Followed>();
  #code: typeof import('./remote-service.js') | undefined;
  #write: WriteAvailable | undefined;

  constructor(options: AggregatorOptions) {
    this.#options = options;
    this.#group = options.naming.rename('apiregistration.platform.io');
    this.#forwarder = defineForwarder({ loopback: true, isHidden: options.isHiddenHeader, maxBodyBytes, connectMs });
    options.follow('aggregator', {
      parts: [this.#apiServices(), this.#mentioned('services'), this.#mentioned('endpoints')],
      reset: () => {
        this.#before = this.#services;
        this.#services = new Map();
      },
      complete: () => {
        for (const name of this.#before.keys()) if (!this.#services.has(name)) this.#before.get(name)?.remote?.close();
        this.#before = new Map();
        this.#changed();
      },
      closed: () => this.close(),
    });
  }

  find(group: string, version: string): RemoteService | undefined {
    return this.versions.length === 0 ? undefined : this.#services.get(`${version}.${group}`)?.remote;
  }

  groupPriority(group: string): number | undefined {
    const of = [...this.#services.values()].filter(({ spec }) => spec.group === group);
    return of.length === 0 ? undefined : Math.max(...of.map(({ spec }) => spec.groupPriority));
  }

  versionPriority(group: string, version: string): number | undefined {
    return this.#services.get(`${version}.${group}`)?.spec.versionPriority;
  }

  /** Returns a sample of the metric for each APIService: 1 if it is not available. */
  samples(): readonly { readonly labels: { readonly name: string }; readonly value: number }[] {
    return [...this.#services].map(([name, { remote, available }]) => {
      const { status } = remote ? (remote.finding ?? available) : local;
      return { labels: { name }, value: status === 'True' ? 0 : 1 };
    });
  }

  /** Checks all services from now on, and writes the results into their APIServices. */
  start(client: ClientOptions): void {
    this.#write = defineStatusWriter(client, this.#group, this.#options.onProblem);
    for (const [name, one] of this.#services) this.#settle(name, one);
  }

  /** Ends all checks, and breaks off requests to services. */
  close(): void {
    for (const { remote } of this.#services.values()) remote?.close();
    this.#forwarder.close();
  }

  #apiServices(): FollowedPart {
    const prefix = `${this.#group}/apiservices/`;
    const nameOf = (key: Key): string => placeOf(prefix, key)[1];
    return {
      prefix,
      // Only servers with such objects load this code.
      ready: (entry) => (this.#code || !hasService(entry) ? undefined : this.#load()),
      put: (entry) => this.#put(nameOf(entry.key), objectIn(entry) ?? {}),
      remove: (key) => {
        this.#services.get(nameOf(key))?.remote?.close();
        this.#services.delete(nameOf(key));
        this.#changed();
      },
    };
  }

  /** Checks a service again if its Service or Endpoints have changed. */
  #mentioned(resource: 'services' | 'endpoints'): FollowedPart {
    const look = (key: Key): void => {
      for (const remote of this.versions) {
        const { namespace, name } = remote.service;
        if (key === `/${resource}/${namespace}/${name}`) remote.checkSoon();
      }
    };
    return { prefix: `/${resource}/`, put: ({ key }) => look(key), remove: look };
  }

  async #load(): Promise<void> {
    this.#code = await import('./remote-service.js');
  }

  #put(name: string, object: JsonObject): void {
    const spec = readApiService(object);
    const before = this.#services.get(name) ?? this.#before.get(name);
    const isSame = before !== undefined && equal(jsonOf(before.spec), jsonOf(spec));
    if (!isSame) before?.remote?.close();
    const one = { spec, available: availableIn(object), remote: isSame ? before.remote : this.#open(name, spec) };
    this.#services.set(name, one);
    if (!isSame) this.#changed();
    this.#settle(name, one);
  }

  #open(name: string, spec: ApiService): RemoteService | undefined {
    if (!spec.service || !this.#code) return undefined;
    const { store, certificate, serviceAddress: given, toEndpoints } = this.#options;
    const find: AddressSources['find'] = (resource, namespace, at) =>
      objectIn(store.get(`/${resource}/${namespace}/${at}`));
    return new this.#code.RemoteService(spec, spec.service, {
      addresses: { find, given, toEndpoints },
      certificate: certificate.current,
      forwarder: this.#forwarder,
      onChecked: (finding, hasChanged) => {
        if (hasChanged) this.#changed();
        this.#report(name, finding);
      },
    });
  }

  /** Begins to check a new service. Marks an APIService without a service as available. */
  #settle(name: string, { remote }: Followed): void {
    if (!this.#write) return;
    if (!remote) this.#report(name, local);
    else if (!remote.finding) void remote.check();
  }

  #report(name: string, finding: Finding): void {
    const known = this.#services.get(name)?.available;
    if (known && !equal({ ...known }, { ...finding })) this.#write?.(name, finding);
  }

  /** Makes a new list, so that the server makes its documents again. */
  #changed(): void {
    this.versions = [...this.#services.values()].flatMap(({ remote }) => remote ?? []);
  }
}

const hasService = (entry: Entry): boolean => objectAt(objectAt(objectIn(entry), 'spec'), 'service') !== undefined;

const jsonOf = ({ service, ca = '', ...spec }: ApiService): JsonObject => ({
  ...spec,
  ca,
  service: service ? { ...service } : null,
});
