/** Chooses the controllers that an option names. */
import type { Controller } from '../../controllers/kit/index.js';
import { findNearest } from '../../runtime/objects/suggest.js';
import { OptionError } from '../option-error.js';
import type { ControllerRow, Served } from './controller-row.js';
import { controllerTable } from './table.js';

/** `*` for those that run by default, names of others, names with `-` before them of those that are not to run. */
export type WantedControllers = readonly (string | Controller)[];

const names: readonly string[] = controllerTable.map(({ name }) => name);

/** Throws an `OptionError` where the option names a controller that there is not. */
export function checkControllers(wanted: WantedControllers = []): void {
  for (const one of wanted) {
    if (typeof one !== 'string' || one === '*' || names.includes(one.replace(/^-/, ''))) continue;
    const nearest = findNearest(one.replace(/^-/, ''), names);
    const hint = nearest === undefined ? '' : `; did you mean ${one.startsWith('-') ? '-' : ''}${nearest}?`;
    const use = `use *, none, or names of: ${names.join(', ')}`;
    throw new OptionError(
      (nameOf) => `${nameOf('controllers')}: ${one || '(nothing)'} is unknown${hint || `; ${use}`}`,
    );
  }
}

/** The first word about a controller counts; `*` is for those that no other word is about. */
function isWanted({ name, byDefault }: ControllerRow, wanted: WantedControllers): boolean {
  const word = wanted.find((one) => one === name || one === `-${name}`);
  return word === undefined ? byDefault && wanted.includes('*') : word === name;
}

/** The controllers that an option asks for, of the built-in ones those whose resources are served. */
export const chooseControllers = (wanted: WantedControllers = ['*'], served: Served): readonly Controller[] => [
  ...controllerTable.filter((row) => isWanted(row, wanted)).flatMap((row) => row.make(served) ?? []),
  ...wanted.filter((one) => typeof one !== 'string'),
];
