/** Returns the value of a field as text, cut to a length. Numbers past 2⁵³ keep all their digits. */
export function showValue(value: unknown, limit = 2_000): string {
  if (value === undefined) return '';
  const text =
    typeof value === 'object' && value !== null
      ? JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part), 2)
      : String(value);
  return text.length <= limit ? text : `${text.slice(0, limit)}… (${text.length} characters)`;
}
