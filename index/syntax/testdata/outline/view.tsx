import React from 'react'
export const View: React.FC<Props> = ({ a }) => {
  const onClick = () => a.go()
  return <List<string> items={a}><Item key="1" onClick={onClick} /><b /></List>
}
export function useThing() { return useState(0) }
