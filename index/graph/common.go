package graph

import "strings"

// commonMethods are the names of methods that the language's own types have, by family: a call of one on something whose
// type is not known most probably means those.
var commonMethods = map[string]map[string]bool{
	"go": words(`Add After Addr All Append Before Bool Bytes Cancel Clear Clone Close Compare Context Copy Count Cookie Cookies
		Decode Deadline Del Delete Do Done Each Encode Equal Err Error Errorf Exec Exit Fatal Fatalf Field Find FindString Float
		Flush Format Get Grow HasPrefix Header Helper Host IP Index Info Init Insert Int Interface Is IsDir IsNil IsValid IsZero Int64
		Join Keys Kind Len Less Listen Load Lock Lookup Log Logf Marshal Match MatchString Method Mode Name New Next Now Num Open
		Parallel Parse Path Peek Ping Pop Port Print Printf Println Push Put Query QueryRow RLock RUnlock Range Read ReadAll ReadByte
		ReadFrom ReadString RemoteAddr Remove Replace ReplaceAllString Reset Root Rollback Rows Run Scan Seek Send Serve ServeHTTP Set
		Shutdown Size Sort Split Start Stat Stop Store String Sub Sum Swap Sync Tag Text Time Truncate Type Unlock Unmarshal Unwrap
		Update Uint Uint64 Value Values Version Wait Warn Warnf With WithContext Write WriteByte WriteHeader WriteRune WriteString
		WriteTo Year`),
	"python": words(`acquire add append assert_called astype cancel capitalize center clear close cls commit connect copy count
		cursor debug decode delete difference digest dump dumps encode endswith error exception execute exists expanduser extend
		fetchall fetchone fileno find findall finditer flush format fromkeys fullmatch get getvalue group groups handle hexdigest
		index info insert intersection is_dir is_file isalpha isdigit isinstance isoformat issubset items iterdir join json keys ljust
		load loads log lower lstrip match mkdir name next open partition parse patch path pop popitem popleft post put quit raw read
		read_text readline readlines recv release remove replace request reset resolve result reverse rfind rjust rsplit rstrip
		run search seek send set setdefault shutdown sort split splitlines start startswith stop strftime strip sub submit swapcase
		tell terminate timeout title tolist touch translate truncate union unlink update upper url values wait warn warning write
		write_text writelines zfill setLevel parse_args add_argument`),
	"javascript": words(`abort accept add addEventListener all append appendChild apply arrayBuffer assign at before bind blob call
		catch cancel charAt charCodeAt clear clone close closest concat connect contains copy count create createElement cut date debug
		defineProperty delete destroy disconnect dispatchEvent emit encode decode end endsWith enqueue entries equals error every exec
		exit fetch fill filter finally find findIndex findLast first flat flatMap flush focus forEach formData format from get
		getAttribute getElementById getItem getReader getTime group has hasOwnProperty header headers includes index indexOf info init
		insert insertBefore invoke is item iterator join json keys last lastIndexOf length list listen load localeCompare log lower map
		mark match matchAll measure message min max mock name next node normalize now object observe off on once open parse pause pipe
		play pop post preventDefault push put querySelector querySelectorAll race raw read reduce reduceRight refresh reject release
		remove removeAttribute removeChild removeEventListener removeItem render repeat replace replaceAll request reset resolve
		resume return reverse root run save search send set setAttribute setItem shift size slice some sort splice split start
		startsWith stat status stop stringify sub subscribe substring substr tee test text then throw time toFixed toISOString
		toJSON toLocaleString toLowerCase toString toUpperCase trim trimEnd trimStart type union unshift unsubscribe update upper
		url use value valueOf values wait warn where with write`),
}

func words(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// isCommon reports whether types outside of the workspace may well have a method of this name.
func isCommon(name, language string) bool {
	common, known := commonMethods[Family(language)]
	return !known || common[name]
}
