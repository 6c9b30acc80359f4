;;; eglot.el --- A session of Eglot with the sidecar, in a copy of testdata/project  -*- lexical-binding: t -*-
;; AURORA_CMD='aurora serve' emacs --batch -l package -f package-initialize -l eglot.el -f ert-run-tests-batch-and-exit
;; Emacs 28 needs the package eglot (Debian: elpa-eglot); Emacs 29 and later have it.
(require 'ert)
(require 'cl-lib)
(require 'eglot)
(require 'xref)

(defvar aurora-ready nil "What the sidecar told of itself last.")
(cl-defmethod eglot-handle-notification (_server (_method (eql aurora/didChangeStatus)) &rest status)
  (when (plist-get status :state) (setq aurora-ready (plist-get status :state))))
(cl-defmethod eglot-initialization-options ((_server eglot-lsp-server))
  '(:aurora (:client (:status t))))

(setq eglot-sync-connect 60 eglot-connect-timeout 60 eglot-autoshutdown nil make-backup-files nil create-lockfiles nil
      vc-handled-backends '(Git))
(define-derived-mode aurora-go-mode prog-mode "Go")
(add-to-list 'auto-mode-alist '("\\.go\\'" . aurora-go-mode))
(setf (alist-get 'aurora-go-mode eglot-server-programs)
      (split-string (or (getenv "AURORA_CMD") "aurora serve")))

(defmacro aurora-wait (what &rest body)
  "Handle what the server sends until BODY is true, and return that; fail with WHAT after a minute."
  (declare (indent 1))
  `(let (value (end (+ (float-time) 60)))
     (while (not (setq value (progn ,@body)))
       (when (> (float-time) end) (error "Timed out: %s" ,what))
       (accept-process-output nil 0.02))
     value))

(defun aurora-open (file)
  "Visit FILE with a ready sidecar."
  (find-file (expand-file-name file (getenv "AURORA_PROJECT")))
  (unless (eglot-current-server)
    (let ((inhibit-message t)) (apply #'eglot (eglot--guess-contact))))
  (aurora-wait "the connection" (and (eglot-current-server) (eglot-managed-p)))
  (aurora-wait "the index" (equal aurora-ready "ready")))

(defun aurora-request (method params)
  (jsonrpc-request (eglot-current-server) method params :timeout 60))

(defun aurora-hits (query)
  (append (plist-get (aurora-request :aurora/search (list :query query :limit 5)) :hits) nil))

(ert-deftest aurora-1-hover ()
  (aurora-open "internal/basket/basket.go")
  (goto-char (point-min))
  (search-forward "volumeDiscount(len")
  (backward-char 6)
  ;; Not in time on a busy machine means null: asked again.
  (let ((text (aurora-wait "the hover"
                (let (heard)
                  (eglot-hover-eldoc-function (lambda (s &rest _) (setq heard (or s 'nothing))))
                  (aurora-wait "an answer or none" (or heard (progn (accept-process-output nil 0.2) 'nothing)))
                  (and (stringp heard) heard)))))
    (should (string-match-p "volumeDiscount" text))))

(ert-deftest aurora-2-code-actions ()
  (aurora-open "internal/basket/basket.go")
  (goto-char (point-min))
  (search-forward "func volumeDiscount")
  (let* ((actions (append (aurora-request :textDocument/codeAction
                                          (list :textDocument (eglot--TextDocumentIdentifier)
                                                :range (list :start (eglot--pos-to-lsp-position) :end (eglot--pos-to-lsp-position))
                                                :context (list :diagnostics [])))
                          nil))
         (titles (mapconcat (lambda (a) (plist-get a :title)) actions "\n")))
    (should (string-match-p "[Rr]elated" titles))
    (should (cl-every (lambda (a) (string-prefix-p "source.aurora" (or (plist-get a :kind) "source.aurora"))) actions))))

(ert-deftest aurora-3-workspace-symbols ()
  (aurora-open "internal/basket/basket.go")
  (let ((found (xref-backend-apropos 'eglot "ParsePrice")))
    (should (string-match-p "ParsePrice" (xref-item-summary (car found))))))

(ert-deftest aurora-4-unsaved-text-behind-four-byte-characters ()
  (aurora-open "internal/basket/basket.go")
  (goto-char (point-max))
  (insert "\n// 🍐 typed, not saved\nfunc pearTreeHeight() int { return 3 }\n")
  (goto-char (point-max))
  (search-backward "pearTree")
  (delete-char 4)
  (insert "🍏")
  (delete-char -1)
  (insert "plum")
  (aurora-wait "the function"
    (eglot--signal-textDocument/didChange)
    (equal "plumTreeHeight" (plist-get (car (aurora-hits "plumTreeHeight")) :name)))
  (set-buffer-modified-p nil))

(ert-deftest aurora-5-question ()
  (aurora-open "internal/basket/basket.go")
  (let ((answer (aurora-request :aurora/query '(:query "where is ParsePrice defined?"))))
    (should (string-match-p "price\\.go" (plist-get answer :answer)))
    (should (> (length (plist-get answer :citations)) 0))))

(ert-deftest aurora-6-orderly-end ()
  (aurora-open "internal/basket/basket.go")
  (let ((server (eglot-current-server)))
    (eglot-shutdown server nil 60)
    (aurora-wait "the end" (not (jsonrpc-running-p server)))))
