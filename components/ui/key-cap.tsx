/** A key of the keyboard. */
export function KeyCap({ children }: { readonly children: string }) {
  return (
    <kbd className="rounded-[3px] border border-field px-[5px] font-mono text-[11px] leading-[15px] text-mute">
      {children}
    </kbd>
  );
}
