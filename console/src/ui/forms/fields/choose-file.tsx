import { FileUp } from 'lucide-react';
import { type DragEvent, useId, useState } from 'react';
import { useFieldError } from '../form';
import style from './choose-file.module.css';

/** A place to drop a file on, which is also the button that chooses one. */
export function ChooseFile({
  label,
  hint,
  accept,
  name,
  chosen,
  error: ownError,
  isBusy = false,
  onFile,
}: {
  readonly label: string;
  readonly hint: string;
  readonly accept: string;
  /** Of the field in its form. */
  readonly name?: string;
  /** The name of the file that was chosen. */
  readonly chosen?: string | undefined;
  readonly error?: string | undefined;
  readonly isBusy?: boolean;
  readonly onFile: (file: File) => void;
}) {
  const [isDropping, setDropping] = useState(false);
  const id = useId();
  const rejection = useFieldError(name);
  const error = ownError ?? (rejection && `The file ${rejection}.`);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setDropping(false);
    const file = event.dataTransfer.files[0];
    if (file && !isBusy) onFile(file);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the field inside does the same with a keyboard */}
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
        <span id={`${id}-hint`}>{chosen ?? hint}</span>
        <input
          id={id}
          type="file"
          accept={accept}
          disabled={isBusy}
          aria-describedby={error ? `${id}-hint ${id}-error` : `${id}-hint`}
          aria-invalid={error ? true : undefined}
          onChange={({ target }) => {
            const file = target.files?.[0];
            // The same file can be chosen again after it was changed.
            target.value = '';
            if (file) onFile(file);
          }}
        />
      </div>
      {error && (
        <p className={style.error} id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </>
  );
}
