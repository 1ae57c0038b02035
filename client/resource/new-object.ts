/** Objects as they are sent. */

/** An object to send. Its kind is optional, because the path has it. */
export type NewObject<T> = Omit<T, 'apiVersion' | 'kind'> & Partial<Pick<T, Extract<keyof T, 'apiVersion' | 'kind'>>>;
