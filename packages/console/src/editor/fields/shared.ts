/** The props of all components of fields. */
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
  /** Shows why the typed text is not a value of the field; `undefined` once it is. */
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

/** The number of fields or items to show at first, and to add each time. */
export const pageSize = 40;
