/** Lists as sets. */
import { bool, list, param } from '../check/types.js';
import type { Library } from '../environment.js';
import { contains } from '../values/lookup.js';
import { type CelList, itemsOf } from '../values/value.js';
import { declare, overload } from './declare.js';

const a = param('T');
const lists = [list(a), list(a)];

const includes = (all: CelList, some: CelList): boolean => itemsOf(some).every((item) => contains(item, all));

export const setsLibrary: Library = {
  name: 'sets',
  functions: [
    declare('sets.contains', overload('list_sets_contains_list', lists, bool, includes)),
    declare(
      'sets.equivalent',
      overload('list_sets_equivalent_list', lists, bool, (x: CelList, y: CelList) => includes(x, y) && includes(y, x)),
    ),
    declare(
      'sets.intersects',
      overload('list_sets_intersects_list', lists, bool, (x: CelList, y: CelList) =>
        itemsOf(x).some((item) => contains(item, y)),
      ),
    ),
  ],
};
