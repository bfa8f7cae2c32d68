import { FileCheck } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '../ui/forms/button';
import { useSpoken } from './language/spoken';

/** Chooses the file of an earlier check, whose tree the next one is compared with. */
export function KeptFile({ onFile }: { readonly onFile: (file: File) => void }) {
  const { texts: t } = useSpoken();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button onClick={() => input.current?.click()}>
        <FileCheck size={18} aria-hidden="true" />
        {t.compare}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".jsonl,application/x-ndjson"
        aria-label={t.compare}
        hidden
        onChange={({ target }) => {
          const file = target.files?.[0];
          // The same file can be chosen again.
          target.value = '';
          if (file) onFile(file);
        }}
      />
    </>
  );
}
