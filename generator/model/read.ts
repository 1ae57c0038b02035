/** Reads parts of plain values, as the readers of schemas do. */
export * from '../../runtime/schema/reading/read.js';
