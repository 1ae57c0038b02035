/** Finds how the objects of a resource are counted. */
import { memoize } from '../memoize.js';
import type { Naming } from '../naming.js';
import { defineClaims } from './claims.js';
import { countName, type Evaluator, numberOfObjects } from './evaluator.js';
import { definePods } from './pods.js';
import { services } from './services.js';

/** Resources whose number can be limited under their mere name too. */
const counted: ReadonlySet<string> = new Set(['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets']);

export interface EvaluatorOptions {
  /** Whether resources of running pods may be changed. */
  readonly podsResize?: boolean;
}

/** Answers with the evaluator of a resource, by group and plural; with none for what quotas are never about. */
export type Evaluators = (group: string, plural: string) => Evaluator | undefined;

export function defineEvaluators(names: Naming, { podsResize = false }: EvaluatorOptions = {}): Evaluators {
  const special: ReadonlyMap<string, Evaluator> = new Map([
    ['pods', definePods(names, podsResize)],
    ['services', services],
    ['persistentvolumeclaims', defineClaims(names)],
  ]);
  const ignored = new Set(
    // Events come in any number, and reviews and bindings are never stored.
    [
      ['', 'events'],
      ['events.platform.io', 'events'],
      ['', 'bindings'],
      ['', 'componentstatuses'],
      ['authentication.platform.io', 'tokenreviews'],
      ['authorization.platform.io', 'subjectaccessreviews'],
      ['authorization.platform.io', 'selfsubjectaccessreviews'],
      ['authorization.platform.io', 'localsubjectaccessreviews'],
      ['authorization.platform.io', 'selfsubjectrulesreviews'],
    ].map(([group = '', plural]) => `${plural}.${names.rename(group)}`),
  );
  const ofCore = (plural: string): Evaluator =>
    special.get(plural) ?? numberOfObjects(countName('', plural), ...(counted.has(plural) ? [plural] : []));
  const find = memoize((key) => {
    if (ignored.has(key)) return { evaluator: undefined };
    const [plural, group] = splitAt(key, key.indexOf('.'));
    return { evaluator: group === '' ? ofCore(plural) : numberOfObjects(countName(group, plural)) };
  });
  return (group, plural) => find(`${plural}.${group}`).evaluator;
}

const splitAt = (text: string, at: number): readonly [string, string] => [text.slice(0, at), text.slice(at + 1)];
