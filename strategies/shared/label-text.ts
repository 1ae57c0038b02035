/** Labels in one line, as tables show them. */

/** As in `app=web,tier=front`, in order; `<none>` for none. */
export function labelText(labels: Readonly<Record<string, string>> = {}): string {
  const parts = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return parts.sort().join(',') || '<none>';
}
