/** Objects as they are sent. */

/** An object whose kind may be left out, as the path says it. */
export type NewObject<T> = Omit<T, 'apiVersion' | 'kind'> & Partial<Pick<T, Extract<keyof T, 'apiVersion' | 'kind'>>>;
