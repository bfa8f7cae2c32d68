import { useSearchParams } from 'react-router';

/** Changes some values in the address, in place of the page's entry in the history. An empty value removes one. */
export function useChanges() {
  const [, setSearch] = useSearchParams();
  return (values: Readonly<Record<string, string>>) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries(values)) {
          if (value === '') after.delete(name);
          else after.set(name, value);
        }
        return after;
      },
      { replace: true },
    );
}

/** Changes one value. */
export function useChange() {
  const change = useChanges();
  return (name: string, value: string) => change({ [name]: value });
}
