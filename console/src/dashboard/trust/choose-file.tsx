import { FileUp } from 'lucide-react';
import { type DragEvent, useId, useState } from 'react';
import style from './choose-file.module.css';

/** A place to drop a file on, which is also the button that chooses one. */
export function ChooseFile({
  label,
  hint,
  accept,
  isBusy,
  onFile,
}: {
  readonly label: string;
  readonly hint: string;
  readonly accept: string;
  readonly isBusy: boolean;
  readonly onFile: (file: File) => void;
}) {
  const [isDropping, setDropping] = useState(false);
  const id = useId();
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setDropping(false);
    const file = event.dataTransfer.files[0];
    if (file && !isBusy) onFile(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the field inside does the same with a keyboard
    <div
      className={style.place}
      data-dropping={isDropping}
      onDragOver={(event) => {
        event.preventDefault();
        setDropping(true);
      }}
      onDragLeave={() => setDropping(false)}
      onDrop={drop}
    >
      <FileUp size={24} strokeWidth={1.5} aria-hidden="true" />
      <label htmlFor={id}>{isBusy ? 'Checking …' : label}</label>
      <span id={`${id}-hint`}>{hint}</span>
      <input
        id={id}
        type="file"
        accept={accept}
        disabled={isBusy}
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => {
          const file = target.files?.[0];
          // The same file can be chosen again after it was changed.
          target.value = '';
          if (file) onFile(file);
        }}
      />
    </div>
  );
}
