// The status bar item.
import * as vscode from 'vscode';
import type { Sidecar } from './sidecar';
import { statusText } from './status';

export class StatusBar implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('aurora.status', vscode.StatusBarAlignment.Right, 90);
  private readonly listeners: vscode.Disposable[];
  private asking = 0;
  private budget = '';

  constructor(private readonly sidecar: Sidecar) {
    this.item.name = 'AURORA';
    this.item.command = 'aurora.status';
    this.listeners = [sidecar.onDidChangeState(() => this.show()), sidecar.onDidChangeStatus(() => this.show())];
    this.show();
    this.item.show();
  }

  /** @param asking how many questions are being answered */
  setAsking(asking: number): void {
    this.asking = asking;
    this.show();
  }

  /** @param budget what was spent on models, '' for nothing */
  setBudget(budget: string): void {
    this.budget = budget;
    this.show();
  }

  dispose(): void {
    for (const listener of this.listeners) listener.dispose();
    this.item.dispose();
  }

  private show(): void {
    const { text, tooltip, severity } = statusText(this.sidecar.state, this.sidecar.status, this.asking);
    this.item.text = text;
    this.item.tooltip = this.budget === '' ? tooltip : `${tooltip}\nBudget: ${this.budget}`;
    this.item.backgroundColor = severity === 'none' ? undefined : new vscode.ThemeColor(`statusBarItem.${severity}Background`);
  }
}
