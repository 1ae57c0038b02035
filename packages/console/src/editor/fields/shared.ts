/** The props that all components of fields have. */
import type { FormNode } from '../../schema/form.js';
import type { Place } from '../../schema/place.js';

/** An input of one value. */
export interface InputProps {
  /** The id of the input, which its label names. */
  readonly id: string;
  /** The ids of its help and errors. */
  readonly describedBy: string | undefined;
  readonly invalid: boolean;
  readonly node: FormNode;
  readonly place: Place;
  readonly value: unknown;
  readonly required: boolean;
  readonly fixed: boolean;
  /** Shows why what is typed cannot be a value of the field; `undefined` once it can. */
  readonly complain: (message: string | undefined) => void;
}

/** The members of an object, list or map. */
export interface GroupProps {
  readonly node: FormNode;
  readonly place: Place;
  readonly value: unknown;
  readonly depth: number;
  readonly fixed: boolean;
}

/** How many fields or items are shown at first, and more each time that one asks. */
export const pageSize = 40;
