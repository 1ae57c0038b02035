/** Returns the statements that `kindforge storage schema` and `kindforge storage sql` print. */
export async function statementsFor(kind: 'tables' | 'views', schema: string): Promise<string> {
  const { reportViews, schemaStatements } = await import('../../runtime/storage/postgres/index.js');
  return kind === 'tables' ? schemaStatements(schema) : reportViews(schema);
}
