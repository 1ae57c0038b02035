/** Follows policies and their bindings, and finds the policies for a request. */
import type {
  AdmissionHost,
  ApiObject,
  ObjectSink,
  Observer,
  ResourceIndex,
  ResourceModule,
} from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import type { Naming } from '../../../runtime/objects/names/naming.js';
import { inTurns, type Steps } from '../../../runtime/objects/turns.js';
import { type ClassMatch, matchClass, type RequestClass } from './matching.js';
import { type BindingSpec, bindingSpecOf, type PolicySpec } from './policy-spec.js';

/** How policies of a kind are read and compiled: to specs `S` and compiled policies `C`. */
export interface PolicyKind<S extends PolicySpec, C> {
  readonly specOf: (object: ApiObject) => S;
  readonly compile: (spec: S) => Steps<C>;
}

/** A policy with one state of its spec. */
export class Policy<S extends PolicySpec, C> {
  readonly spec: S;
  #compiled: C | Promise<C> | undefined;

  constructor(
    readonly object: ApiObject,
    private readonly kind: PolicyKind<S, C>,
    private readonly observer?: Observer,
  ) {
    this.spec = kind.specOf(object);
  }

  /** Returns the compiled policy, or a promise while it is being compiled, so that other work gets its turn. */
  get compiled(): C | Promise<C> {
    this.#compiled ??= this.#compile();
    return this.#compiled;
  }

  #compile(): C | Promise<C> {
    const began = performance.now();
    const compiled = inTurns(this.kind.compile(this.spec));
    const tell = (): void => this.observer?.compiled((performance.now() - began) / 1000);
    if (!(compiled instanceof Promise)) {
      tell();
      return compiled;
    }
    return compiled.then((done) => {
      tell();
      this.#compiled = done;
      return done;
    });
  }
}

/** A binding that may apply to a class of requests. Without `match` it applies wherever its policy does. */
export interface Candidate {
  readonly binding: BindingSpec;
  readonly match: ClassMatch | undefined;
}

/** A policy that may apply to a class of requests, with its bindings sorted by name. */
export interface CandidatePolicy<S extends PolicySpec, C> {
  readonly policy: Policy<S, C>;
  readonly match: ClassMatch;
  readonly bindings: readonly Candidate[];
}

/** The policies and bindings in force, by the classes of requests that they apply to. */
export class PolicySet<S extends PolicySpec, C> {
  readonly #policies = new Map<string, Policy<S, C>>();
  readonly #bindings = new Map<string, BindingSpec>();
  /** The bindings of each policy, sorted by name; built on demand. */
  #bound: ReadonlyMap<string, readonly BindingSpec[]> | undefined;
  #classes = new WeakMap<ResourceModule, Map<string, readonly CandidatePolicy<S, C>[]>>();

  constructor(
    private readonly resources: ResourceIndex,
    private readonly kind: PolicyKind<S, C>,
    private readonly observer?: Observer,
  ) {}

  /** Follows policies. If only the status of a policy changes, the compiled policy stays. */
  readonly policies: ObjectSink = {
    changed: (object) => {
      const { name = '' } = object.metadata;
      if (equal(this.#policies.get(name)?.object.spec, object.spec)) return;
      this.#policies.set(name, new Policy(object, this.kind, this.observer));
      this.#forget();
    },
    removed: (_, name) => {
      this.#policies.delete(name);
      this.#forget();
    },
    reset: () => {
      this.#policies.clear();
      this.#forget();
    },
  };

  readonly bindings: ObjectSink = {
    changed: (object) => {
      this.#bindings.set(object.metadata.name ?? '', bindingSpecOf(object));
      this.#forget();
    },
    removed: (_, name) => {
      this.#bindings.delete(name);
      this.#forget();
    },
    reset: () => {
      this.#bindings.clear();
      this.#forget();
    },
  };

  /** Returns the policies that may apply to a class of requests, sorted by name. Computed once per class. */
  candidates(request: RequestClass): readonly CandidatePolicy<S, C>[] {
    const byClass = this.#classes.get(request.resource) ?? new Map<string, readonly CandidatePolicy<S, C>[]>();
    this.#classes.set(request.resource, byClass);
    const key = `${request.operation} ${request.subresource}`;
    const known = byClass.get(key) ?? this.#find(request);
    byClass.set(key, known);
    return known;
  }

  #find(request: RequestClass): readonly CandidatePolicy<S, C>[] {
    return inNameOrder(this.#policies).flatMap((policy) => {
      const match = matchClass(policy.spec.match, request, this.resources);
      return match ? [{ policy, match, bindings: this.#bindingsOf(policy, request) }] : [];
    });
  }

  #bindingsOf({ spec: { name } }: Policy<S, C>, request: RequestClass): readonly Candidate[] {
    this.#bound ??= byPolicy(inNameOrder(this.#bindings));
    return (this.#bound.get(name) ?? []).flatMap((binding) => {
      const match = binding.match && matchClass(binding.match, request, this.resources);
      return binding.match && !match ? [] : [{ binding, match }];
    });
  }

  #forget(): void {
    this.#classes = new WeakMap();
    this.#bound = undefined;
  }
}

function byPolicy(bindings: readonly BindingSpec[]): ReadonlyMap<string, readonly BindingSpec[]> {
  const bound = new Map<string, BindingSpec[]>();
  for (const binding of bindings) {
    const before = bound.get(binding.policyName);
    if (before) before.push(binding);
    else bound.set(binding.policyName, [binding]);
  }
  return bound;
}

function inNameOrder<T>(byName: ReadonlyMap<string, T>): readonly T[] {
  const entries = [...byName].sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([, value]) => value);
}

/** The resources of a kind of policies. */
export interface PolicyResources {
  readonly group: string;
  readonly policies: string;
  readonly bindings: string;
}

/** Follows the policies of a kind and their bindings; returns `undefined` if the server does not serve both. */
export function followPolicies<S extends PolicySpec, C>(
  host: AdmissionHost,
  { group, policies, bindings }: PolicyResources,
  kind: PolicyKind<S, C>,
): PolicySet<S, C> | undefined {
  const served = host.resources.all().filter((resource) => resource.group === group);
  const isServed = (plural: string): boolean => served.some(({ names }) => names.plural === plural);
  if (!isServed(policies) || !isServed(bindings)) return undefined;
  const set = new PolicySet(host.resources, kind, host.observer);
  host.follow(group, policies, set.policies);
  host.follow(group, bindings, set.bindings);
  return set;
}

/** Policies and bindings, so that a bad one can always be removed. */
const ownResources: ReadonlySet<string> = new Set([
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
]);

/** Reviews, by group: they ask questions, and store nothing. */
const reviews: ReadonlyMap<string, readonly string[]> = new Map([
  ['authentication.platform.io', ['selfsubjectreviews', 'tokenreviews']],
  [
    'authorization.platform.io',
    ['localsubjectaccessreviews', 'selfsubjectaccessreviews', 'selfsubjectrulesreviews', 'subjectaccessreviews'],
  ],
]);

/** Returns whether policies are used on a resource. Release 1.27 uses them on reviews, too. */
export function isGoverned({ rename }: Naming, later: boolean): (resource: ResourceModule) => boolean {
  const own = rename('admissionregistration.platform.io');
  const left = new Map([...reviews].map(([group, plurals]) => [rename(group), plurals]));
  return ({ group, names: { plural } }) =>
    group === own ? !ownResources.has(plural) : !(later && left.get(group)?.includes(plural));
}
