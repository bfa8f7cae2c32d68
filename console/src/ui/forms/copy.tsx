import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button';

/** Copies a text; says so, and says where the browser refuses. */
export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState('copied');
    } catch {
      setState('refused');
    }
  };
  const said = { idle: label, copied: 'Copied', refused: 'Select and copy it by hand' }[state];
  return (
    <Button small onClick={() => void copy()}>
      {state === 'copied' ? <Check size={16} aria-hidden="true" /> : <Copy size={16} aria-hidden="true" />}
      <span aria-live="polite">{said}</span>
    </Button>
  );
}
