/** Finds a resource by the words that people type: `widgets`, `wg`, `widget`, `widgets.shop.example.com`. */
import type { DiscoveredResource, Discovery } from '../../client/index.js';
import { didYouMean } from '../../runtime/objects/suggest.js';
import { Refusal } from './failure.js';

/** Finds the resource. Throws a `Refusal` if the server has no such resource. */
export function findResource(typed: string, { resources, failed }: Discovery): DiscoveredResource {
  const lower = typed.toLowerCase();
  const ways: readonly ((resource: DiscoveredResource) => boolean)[] = [
    ({ plural }) => plural === lower,
    ({ kind }) => kind.toLowerCase() === lower,
    ({ shortNames }) => shortNames.includes(lower),
    (resource) => fullNames(resource).includes(lower),
  ];
  for (const way of ways) {
    const found = resources.find(way);
    if (found) return found;
  }
  const version = ofVersion(lower, resources);
  if (version) return version;
  const down = failed.map(({ groupVersion }) => groupVersion);
  throw new Refusal(
    `the server has no resource ${typed}${down.length === 0 ? '' : ` (it could not say what is in ${down.join(', ')})`}`,
    didYouMean(typed, resources.flatMap(wordsOf)) ?? 'kindforge get --list prints what there is',
  );
}

/** Finds a resource by its version, as in `widgets.v1.shop.example.com`. */
function ofVersion(typed: string, resources: readonly DiscoveredResource[]): DiscoveredResource | undefined {
  const [, plural, version, group] = /^([^.]+)\.(v\d+(?:(?:alpha|beta)\d+)?)(?:\.(.+))?$/.exec(typed) ?? [];
  const found = resources.find((one) => one.plural === plural && one.group === (group ?? ''));
  return found && version !== undefined ? { ...found, version } : undefined;
}

/** Returns the full name, as in `widgets.shop.example.com`; the plural alone in the core group. */
export const fullName = ({ plural, group }: DiscoveredResource): string =>
  group === '' ? plural : `${plural}.${group}`;

const fullNames = (resource: DiscoveredResource): readonly string[] => [
  fullName(resource),
  ...[resource.kind.toLowerCase(), ...resource.shortNames].map((word) => `${word}.${resource.group}`),
];

const wordsOf = ({ plural, kind, shortNames }: DiscoveredResource): readonly string[] => [
  plural,
  kind.toLowerCase(),
  ...shortNames,
];

/** Resources and names as people type them: `widgets`, `widgets door gate`, `widgets/door`, `widgets,cm`. */
export interface Asked {
  readonly resource: DiscoveredResource;
  /** Empty if all objects are selected. */
  readonly names: readonly string[];
}

/** Reads the words. Throws a `Refusal` for unknown resources, and for words that do not go together. */
export function readAsked(words: readonly string[], discovery: Discovery): readonly Asked[] {
  const [types = '', ...names] = words;
  if (words.some((word) => word.includes('/'))) {
    return words.map((word) => {
      const [type = '', name = ''] = word.split('/');
      if (type === '' || name === '')
        throw new Refusal(`${word} is not a resource and a name`, 'Write it as in widgets/door');
      return { resource: findResource(type, discovery), names: [name] };
    });
  }
  return types.split(',').map((type) => ({ resource: findResource(type, discovery), names }));
}
