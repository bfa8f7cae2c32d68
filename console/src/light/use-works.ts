import { useEffect, useState } from 'react';

/** Whether the page works. False in the HTML that the build renders, and until the page's script has started. */
export function useWorks(): boolean {
  const [works, setWorks] = useState(false);
  useEffect(() => setWorks(true), []);
  return works;
}
