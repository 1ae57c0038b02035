/** Objects as they are sent. */

/** An object whose kind is optional, since the path has it. */
export type NewObject<T> = Omit<T, 'apiVersion' | 'kind'> & Partial<Pick<T, Extract<keyof T, 'apiVersion' | 'kind'>>>;
