/** Finds the nodes that aliases mean. */
import { EVENT_ID } from 'js-yaml';
import { badName, describeCharacters } from './errors.js';
import type { YamlEvents } from './events.js';
import { YamlProblem } from './problem.js';

/** Indexes of nodes by the indexes of the aliases to them: each alias means the last node before it with its name. */
export function resolveAliases({ text, events }: YamlEvents): ReadonlyMap<number, number> {
  const anchors = new Map<string, number>();
  const targets = new Map<number, number>();
  events.forEach((event, index) => {
    if (event.type === EVENT_ID.DOCUMENT || event.type === EVENT_ID.POP || event.anchorStart < 0) return;
    const name = text.slice(event.anchorStart, event.anchorEnd);
    if (!/^[\w-]+$/.test(name)) throw new YamlProblem(describeCharacters(badName, text, event.anchorStart));
    if (event.type !== EVENT_ID.ALIAS) anchors.set(name, index);
    else {
      const target = anchors.get(name);
      if (target === undefined) throw new YamlProblem(`unknown anchor '${name}' referenced`);
      targets.set(index, target);
    }
  });
  return targets;
}
