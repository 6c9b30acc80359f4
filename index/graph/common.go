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
	// methods of core, alloc and std that many crates call
	"rust": words(`abs accessed add advance align align_offset all alternate and and_then any append arg args as_bytes as_deref as_deref_mut
		as_millis as_mut as_mut_ptr as_mut_slice as_mut_vec as_nanos as_os_str as_path as_ptr as_raw_fd as_raw_handle as_ref as_secs
		as_secs_f64 as_slice as_str assume_init assume_init_drop assume_init_ref binary_search binary_search_by binary_search_by_key
		bits borrow borrow_mut build by_ref bytes call call_once canonicalize capacity cast cast_const cast_mut ceil chain char_indices
		chars checked_add checked_mul checked_shl checked_sub chunks chunks_exact chunks_exact_mut chunks_mut clamp clear clone
		clone_from clone_from_slice cloned cmp code collect compare_exchange compare_exchange_weak components concat consume contains
		contains_key copied copy_from_slice copy_to copy_to_nonoverlapping copy_within copysign count count_ones create create_new
		current_dir custom_flags cycle data debug_list debug_map debug_set debug_struct debug_tuple dedup deref deref_mut display div
		div_ceil downcast downcast_mut downcast_ref drain drop_in_place duration duration_since elapsed encode_utf16 encode_utf8
		encode_wide end end_bound ends_with entries entry enumerate env env_remove eq eq_ignore_ascii_case err error error_len
		escape_debug escape_default exists expect expect_err extend extend_from_slice extension fetch_add fetch_and fetch_or fetch_sub
		fetch_update field file file_name file_stem file_type fill fill_buf fill_bytes filled filter filter_map find find_map finish
		finish_non_exhaustive first first_mut flat_map flatten floor flowinfo flush fold for_each fract front fuse get get_mut
		get_or_init get_or_insert get_or_insert_with get_ref get_unchecked get_unchecked_mut hash hash_one id insert insert_str into
		into_boxed_slice into_boxed_str into_bytes into_data into_inner into_iter into_os_string into_owned into_raw into_remainder
		into_string into_vec ip is is_absolute is_alphabetic is_alphanumeric is_ascii is_ascii_alphabetic is_ascii_alphanumeric
		is_ascii_control is_ascii_digit is_ascii_hexdigit is_ascii_lowercase is_ascii_uppercase is_ascii_whitespace is_char_boundary
		is_completed is_control is_digit is_dir is_empty is_err is_file is_finite is_infinite is_lowercase is_nan is_negative is_none
		is_null is_numeric is_ok is_pending is_power_of_two is_ready is_sign_negative is_sign_positive is_some is_some_and is_symlink
		is_terminal is_uppercase is_whitespace is_zero iter iter_mut join keys kill kind last last_mut leading_zeros len len_utf8 line
		lines load local_addr location lock log make_ascii_uppercase map map_err map_ok map_or map_or_else map_unchecked_mut
		match_indices matches max max_by_key metadata method min mode modified name next next_back next_power_of_two notify_all
		notify_one nth octets offset offset_from ok ok_or ok_or_else open or or_default or_else or_insert output pad parent parse
		parse_with partition path peek peekable permissions pop pop_back pop_front port position pow powf powi prefix push push_back
		push_front push_str range raw raw_os_error read read_dir read_exact read_line read_to_end read_to_string read_unaligned readonly
		recv recv_timeout reduce register rem_euclid remainder remove repeat replace replace_range reserve reserve_exact reset resize
		retain retain_mut rev reverse rfind rotate_left rotate_right round rposition rsplit rsplit_once saturating_add
		saturating_duration_since saturating_mul saturating_sub scan scope_id seek send set set_extension set_len set_mode set_position
		shrink_to_fit size size_hint skip skip_while sort sort_by sort_by_key sort_unstable sort_unstable_by sort_unstable_by_key
		spare_capacity_mut spawn splice split split_ascii_whitespace split_at split_at_mut split_first split_inclusive split_last
		split_off split_once split_terminator split_whitespace splitn sqrt stack_size start start_bound starts_with status stderr stdin
		stdout step_by store strip_prefix strip_suffix sub subsec_millis subsec_nanos success sum swap swap_bytes swap_remove
		symlink_metadata take take_while then then_some then_with to_ascii_lowercase to_ascii_uppercase to_be to_be_bytes to_bits
		to_bytes to_bytes_with_nul to_digit to_le to_le_bytes to_lowercase to_mut to_ne_bytes to_os_string to_owned to_path_buf to_str
		to_string to_string_lossy to_uppercase to_vec trailing_zeros transpose trim trim_end trim_end_matches trim_matches trim_start
		trim_start_matches trunc truncate try_borrow_mut try_fold try_for_each try_into try_lock try_recv try_wait try_with unpark
		unsigned_abs unwrap unwrap_err unwrap_or unwrap_or_default unwrap_or_else unwrap_unchecked update upgrade utf8_error valid_up_to
		value values values_mut wait wake wake_by_ref waker width will_wake windows with with_extension wrapping_add wrapping_mul
		wrapping_neg wrapping_offset wrapping_shl wrapping_shr wrapping_sub write write_all write_bytes write_char write_fmt write_str
		write_u8 zip`),
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

// libraryExtensions are the names of extension functions that need no import in Kotlin.
var libraryExtensions = words(`all also any apply asIterable asReversed asSequence associate associateBy associateWith average
	chunked coerceAtLeast coerceAtMost coerceIn contains copyOf count distinct distinctBy drop dropLast dropWhile elementAt endsWith filter
	filterIsInstance filterNot filterNotNull find first firstOrNull flatMap flatten fold forEach forEachIndexed get getOrDefault
	getOrElse getOrNull getOrPut groupBy indexOf intersect isBlank isEmpty isNotBlank isNotEmpty isNullOrBlank isNullOrEmpty
	joinToString last lastIndexOf lastOrNull let lines lowercase map mapIndexed mapKeys mapNotNull mapValues max maxBy maxOf maxOrNull
	min minBy minOf minOrNull minus none onEach orEmpty padEnd padStart partition plus reduce remove removeAll removePrefix
	removeSuffix repeat replace reversed run runCatching scan set single singleOrNull slice sort sortBy sorted sortedBy
	sortedDescending sortedWith split startsWith substring substringAfter substringBefore sum sumBy sumOf take takeIf takeLast
	takeUnless takeWhile to toByteArray toDouble toInt toList toLong toMap toMutableList toMutableMap toMutableSet toSet toString
	toTypedArray trim trimEnd trimIndent trimMargin trimStart union until uppercase use windowed withDefault withIndex zip`)
