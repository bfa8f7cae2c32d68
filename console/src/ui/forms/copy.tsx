import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button';
import style from './copy.module.css';

function useCopy(text: string) {
  const [state, setState] = useState<'idle' | 'copied' | 'denied'>('idle');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState('copied');
    } catch {
      setState('denied');
    }
  };
  return { state, copy: () => void copy() };
}

const RESULTS = { copied: 'Copied', denied: 'Select and copy it manually' } as const;

export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const { state, copy } = useCopy(text);
  return (
    <Button small onClick={copy}>
      {state === 'copied' ? <Check size={16} aria-hidden="true" /> : <Copy size={16} aria-hidden="true" />}
      <span aria-live="polite">{state === 'idle' ? label : RESULTS[state]}</span>
    </Button>
  );
}

/** A small button beside what it copies. */
export function CopyIcon({
  text,
  label,
  results = RESULTS,
}: {
  readonly text: string;
  readonly label: string;
  readonly results?: Readonly<Record<keyof typeof RESULTS, string>>;
}) {
  const { state, copy } = useCopy(text);
  const Icon = state === 'copied' ? Check : Copy;
  return (
    <button
      type="button"
      className={style.icon}
      title={state === 'idle' ? label : results[state]}
      onClick={copy}
    >
      <Icon size={14} aria-hidden="true" />
      <span className={style.label} aria-live="polite">
        {state === 'idle' ? label : results[state]}
      </span>
    </button>
  );
}
